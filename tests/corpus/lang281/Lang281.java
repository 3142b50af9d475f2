package lang281;

import static org.junit.Assert.assertEquals;

import java.util.Calendar;
import java.util.GregorianCalendar;
import org.apache.commons.lang.time.DurationFormatUtils;

/** Formats how long something took. */
public class Lang281 {
    private Lang281() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        Calendar begin = new GregorianCalendar(2005, Calendar.DECEMBER, 31);
        Calendar end = new GregorianCalendar(2006, Calendar.OCTOBER, 6);
        long from = begin.getTimeInMillis();
        long to = end.getTimeInMillis();
        assertEquals("00", DurationFormatUtils.formatPeriod(from, to, "yy"));
        assertEquals("00", DurationFormatUtils.formatPeriod(from, from, "MM"));
        assertEquals("09", DurationFormatUtils.formatPeriod(from, to, "MM"));
    }
}
