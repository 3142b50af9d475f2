package time4j612;

import net.time4j.range.CalendarWeek;

/** Looks up the last weeks of years. */
public class Time4j612 {
    private Time4j612() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        for (int year = 2016; year >= 2014; year--) {
            System.out.println(CalendarWeek.of(year, 52));
        }
        try {
            System.out.println(CalendarWeek.of(2014, 53));
        } catch (IllegalArgumentException e) {
            System.out.println("no such week: " + e.getMessage());
        }
    }
}
