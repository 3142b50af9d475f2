package biweekly7;

import static org.junit.Assert.assertEquals;

import biweekly.Biweekly;
import biweekly.ICalendar;

/** Reads calendars with an event, and writes them again, at last one of a whole day. */
public class Biweekly7 {
    private Biweekly7() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        for (String start : new String[] {"DTSTART:20141005T120000Z", "DTSTART;VALUE=DATE:20141005"}) {
            ICalendar ical = Biweekly.parse(calendar(start)).first();
            assertEquals(start, startOf(Biweekly.write(ical).go()));
        }
    }

    private static String calendar(String start) {
        return String.join("\r\n",
                "BEGIN:VCALENDAR",
                "VERSION:2.0",
                "PRODID:-//example//EN",
                "BEGIN:VEVENT",
                "UID:1",
                "DTSTAMP:20140929T000000Z",
                start,
                "END:VEVENT",
                "END:VCALENDAR",
                "");
    }

    private static String startOf(String calendar) {
        for (String line : calendar.split("\r\n")) {
            if (line.startsWith("DTSTART")) {
                return line;
            }
        }
        return "";
    }
}
