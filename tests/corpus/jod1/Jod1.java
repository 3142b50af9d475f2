package jod1;

import java.util.Locale;
import org.joda.time.DateTime;
import org.joda.time.format.DateTimeFormat;
import org.joda.time.format.DateTimeFormatter;

/** Writes and reads dates with French names of months. July is the first that is abbreviated with a dot. */
public class Jod1 {
    private Jod1() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        DateTimeFormatter format = DateTimeFormat.forPattern("dd MMM yyyy").withLocale(Locale.FRENCH);
        for (int month = 3; month <= 12; month++) {
            String text = format.print(new DateTime(2007, month, 3, 0, 0, 0, 0));
            System.out.println(format.parseDateTime(text).getMonthOfYear());
        }
    }
}
