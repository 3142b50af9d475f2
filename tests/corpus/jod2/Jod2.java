package jod2;

import org.joda.time.DateTimeZone;
import org.joda.time.LocalDate;

/** Prints the midnights of some days in Brazil; the third day has none. */
public class Jod2 {
    private Jod2() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        DateTimeZone zone = DateTimeZone.forID("America/Sao_Paulo");
        for (int day = 17; day < 21; day++) {
            System.out.println(new LocalDate(2008, 10, day).toDateMidnight(zone));
        }
    }
}
