package calendar;

import org.joda.time.DateTime;
import org.joda.time.DateTimeZone;
import org.joda.time.Days;
import org.joda.time.LocalDate;
import org.joda.time.Period;
import org.joda.time.format.DateTimeFormat;
import org.joda.time.format.DateTimeFormatter;
import org.joda.time.format.ISODateTimeFormat;

/** Reckons with dates, and reads one that does not exist. */
public final class Main {
    private Main() {
    }

    /** Ends by an IllegalFieldValueException. */
    public static void main(String[] args) {
        DateTimeZone zone = DateTimeZone.forID("Europe/Berlin");
        DateTime start = new DateTime(2011, 3, 26, 12, 30, zone);
        System.out.println(start.plusDays(1).minus(Period.hours(3)) + " " + start.plusMonths(7).getDayOfWeek());
        LocalDate easter = new LocalDate(2012, 4, 8);
        System.out.println(Days.daysBetween(start.toLocalDate(), easter).getDays());
        DateTimeFormatter text = DateTimeFormat.forPattern("yyyy-MM-dd HH:mm Z").withZone(zone);
        System.out.println(text.print(start) + " " + text.parseDateTime("2012-01-31 08:15 +0100").plusMonths(1));
        System.out.println(new DateTime(zone).isAfter(start));
        ISODateTimeFormat.date().parseLocalDate("2011-02-30");
    }
}
