package org.joda.time.tz;

public class DateTimeZoneBuilder {
    public DateTimeZoneBuilder setStandardOffset(int offset) {
        return this;
    }

    public DateTimeZoneBuilder addRecurringSavings(String name, int save, int from, int to, char mode, int month,
            int day, int weekDay, boolean advance, int millis) {
        return this;
    }

    public Object toDateTimeZone(String id, boolean output) {
        return null;
    }
}
