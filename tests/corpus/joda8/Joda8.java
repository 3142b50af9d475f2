package joda8;

import static org.junit.Assert.assertEquals;

import java.util.Calendar;
import java.util.GregorianCalendar;
import org.joda.time.LocalDate;

/** Converts calendars to dates. */
public class Joda8 {
    private Joda8() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        Calendar calendar = new GregorianCalendar(1970, Calendar.JANUARY, 2);
        assertEquals("1970-01-02", LocalDate.fromCalendarFields(calendar).toString());
        assertEquals(new LocalDate(1970, 1, 3), LocalDate.fromCalendarFields(calendar).plusDays(1));
        Calendar early = new GregorianCalendar(1, Calendar.FEBRUARY, 3);
        early.set(Calendar.ERA, GregorianCalendar.BC);
        assertEquals(new LocalDate(0, 2, 3), LocalDate.fromCalendarFields(early));
    }
}
