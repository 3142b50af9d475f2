package jodaneg;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.joda.time.Period;
import org.joda.time.format.ISOPeriodFormat;
import org.joda.time.format.PeriodFormatter;

/** Prints periods in the form of the standard. */
public class Jodaneg {
    private Jodaneg() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        PeriodFormatter format = ISOPeriodFormat.standard();
        assertEquals("P1Y2M", format.print(Period.years(1).plusMonths(2)));
        assertEquals("PT-1S", format.print(Period.seconds(-1)));
        assertEquals("PT-1.001S", format.print(Period.seconds(-1).plusMillis(-1)));
        assertEquals("PT-0.001S", format.print(Period.millis(-1)));
    }
}
