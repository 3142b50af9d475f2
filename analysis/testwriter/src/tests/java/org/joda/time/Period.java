package org.joda.time;

public class Period {
    public Period(long from, long to, PeriodType type) {
    }

    public Period(long from, long to, Chronology chronology) {
    }
}
