package joda151;

import org.joda.time.MonthDay;
import org.joda.time.chrono.ISOChronology;

/** Calculates with month-days, one of them 29 February. */
public class Joda151 {
    private Joda151() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        MonthDay day = new MonthDay(1, 31, ISOChronology.getInstanceUTC());
        System.out.println(day.plusDays(10).minusMonths(2));
        MonthDay leap = day.withMonthOfYear(2);
        System.out.println(leap.getDayOfMonth() + " " + leap.isAfter(day));
        System.out.println(leap.minusMonths(1));
    }
}
