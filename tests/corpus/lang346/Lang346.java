package lang346;

import static org.junit.Assert.assertEquals;

import java.util.Calendar;
import java.util.Date;
import java.util.GregorianCalendar;
import org.apache.commons.lang.time.DateUtils;

/** Rounds a time to larger and larger units. */
public class Lang346 {
    private Lang346() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        Date time = new GregorianCalendar(2007, Calendar.JULY, 2, 8, 8, 50).getTime();
        Date second = DateUtils.round(time, Calendar.SECOND);
        assertEquals(time, second);
        Date minute = DateUtils.round(time, Calendar.MINUTE);
        assertEquals(new GregorianCalendar(2007, Calendar.JULY, 2, 8, 9, 0).getTime(), minute);
    }
}
