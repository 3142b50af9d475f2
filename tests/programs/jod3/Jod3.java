package jod3;

import org.joda.time.tz.DateTimeZoneBuilder;

/**
 * Builds the time zone of Los Angeles with Joda-Time 1.6 by 23 calls, of which the last fails in the Western hemisphere (issue 2889499 of
 * that project): run it with {@code -Duser.timezone=America/Los_Angeles}. Calls 1, 22 and 23 suffice.
 */
public class Jod3 {
    private Jod3() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        DateTimeZoneBuilder builder = new DateTimeZoneBuilder();
        builder.addCutover(-2147483648, 'w', 1, 1, 0, false, 0);
        builder.setStandardOffset(-28378000);
        builder.setFixedSavings("LMT", 0);
        builder.addCutover(1883, 'w', 11, 18, 0, false, 43200000);
        builder.setStandardOffset(-28800000);
        builder.addRecurringSavings("PDT", 3600000, 1918, 1919, 'w', 3, -1, 7, false, 7200000);
        builder.addRecurringSavings("PST", 0, 1918, 1919, 'w', 10, -1, 7, false, 7200000);
        builder.addRecurringSavings("PWT", 3600000, 1942, 1942, 'w', 2, 9, 0, false, 7200000);
        builder.addRecurringSavings("PPT", 3600000, 1945, 1945, 'u', 8, 14, 0, false, 82800000);
        builder.addRecurringSavings("PST", 0, 1945, 1945, 'w', 9, 30, 0, false, 7200000);
        builder.addRecurringSavings("PDT", 3600000, 1948, 1948, 'w', 3, 14, 0, false, 7200000);
        builder.addRecurringSavings("PST", 0, 1949, 1949, 'w', 1, 1, 0, false, 7200000);
        builder.addRecurringSavings("PDT", 3600000, 1950, 1966, 'w', 4, -1, 7, false, 7200000);
        builder.addRecurringSavings("PST", 0, 1950, 1961, 'w', 9, -1, 7, false, 7200000);
        builder.addRecurringSavings("PST", 0, 1962, 1966, 'w', 10, -1, 7, false, 7200000);
        builder.addRecurringSavings("PST", 0, 1967, 2147483647, 'w', 10, -1, 7, false, 7200000);
        builder.addRecurringSavings("PDT", 3600000, 1967, 1973, 'w', 4, -1, 7, false, 7200000);
        builder.addRecurringSavings("PDT", 3600000, 1974, 1974, 'w', 1, 6, 0, false, 7200000);
        builder.addRecurringSavings("PDT", 3600000, 1975, 1975, 'w', 2, 23, 0, false, 7200000);
        builder.addRecurringSavings("PDT", 3600000, 1976, 1986, 'w', 4, -1, 7, false, 7200000);
        builder.addRecurringSavings("PDT", 3600000, 1987, 2147483647, 'w', 4, 1, 7, true, 7200000);
        builder.toDateTimeZone("America/Los_Angeles", false);
    }
}
