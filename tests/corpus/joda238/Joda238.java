package joda238;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.joda.time.Period;

/** Reads periods in the form of the standard. */
public class Joda238 {
    private Joda238() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        assertEquals(Period.years(1).plusMonths(2), Period.parse("P1Y2M"));
        assertEquals(Period.seconds(-1), Period.parse("PT-1S"));
        assertEquals(Period.seconds(-1).plusMillis(-1), Period.parse("PT-1.001S"));
        assertEquals(Period.millis(-1), Period.parse("PT-0.001S"));
    }
}
