package quartz1298;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import java.text.ParseException;
import java.util.Date;
import java.util.GregorianCalendar;
import org.quartz.CronExpression;

/** Asks when jobs are due next. */
public class Quartz1298 {
    private Quartz1298() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) throws ParseException {
        CronExpression noon = new CronExpression("0 0 12 * * ?");
        assertThat(noon.getNextValidTimeAfter(date(27, 13)), is(date(28, 12)));
        CronExpression last = new CronExpression("0 0 11 L * ?");
        assertThat(last.getNextValidTimeAfter(date(28, 5)), is(date(28, 11)));
    }

    /** An hour of a day in February 2017. */
    private static Date date(int day, int hour) {
        return new GregorianCalendar(2017, 1, day, hour, 0).getTime();
    }
}
