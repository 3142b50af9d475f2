package org.joda.time;

public class PeriodType {
}
