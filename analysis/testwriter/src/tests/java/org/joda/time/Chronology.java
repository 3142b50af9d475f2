package org.joda.time;

public class Chronology {
}
