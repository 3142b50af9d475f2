package joda22;

import org.joda.time.Days;
import org.joda.time.MonthDay;

/** Counts the days between month-days at the end of February. */
public class Joda22 {
    private Joda22() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        MonthDay start = new MonthDay(2, 26);
        for (int day = 27; day < 30; day++) {
            MonthDay end = new MonthDay(2, day);
            System.out.println(Days.daysBetween(start, end));
            start = end;
        }
    }
}
