package ical12;

import static org.assertj.core.api.Assertions.assertThat;

import java.text.ParseException;
import java.util.ArrayList;
import java.util.List;
import net.fortuna.ical4j.model.Date;
import net.fortuna.ical4j.model.DateTime;
import net.fortuna.ical4j.model.Period;
import net.fortuna.ical4j.model.PeriodList;
import net.fortuna.ical4j.model.Recur;
import net.fortuna.ical4j.model.component.VEvent;
import net.fortuna.ical4j.model.property.DtStart;
import net.fortuna.ical4j.model.property.RRule;

/** Lists when an event takes place that recurs on the 30th of the month. */
public class Ical12 {
    private Ical12() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) throws ParseException {
        VEvent event = new VEvent();
        Date start = new Date("20140630");
        event.getProperties().add(new DtStart(start, true));
        event.getProperties().add(new RRule(new Recur("FREQ=MONTHLY")));
        PeriodList recurrences = event.calculateRecurrenceSet(new Period(new DateTime(start), new DateTime("20150630T000000Z")));
        List<String> days = new ArrayList<>();
        for (Object period : recurrences) {
            days.add(period.toString().substring(0, 8));
        }
        assertThat(days).containsExactly("20140630", "20140730", "20140830", "20140930", "20141030", "20141130", "20141230", "20150130",
            "20150330", "20150430", "20150530");
    }
}
