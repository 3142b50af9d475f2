package chart1832432;

import org.jfree.data.time.Day;
import org.jfree.data.time.RegularTimePeriod;
import org.jfree.data.time.TimeSeries;

/** Copies a time series, and copies the copy when it is empty. */
public class Chart1832432 {
    private Chart1832432() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) throws Exception {
        TimeSeries series = new TimeSeries("visits", Day.class);
        RegularTimePeriod day = new Day(1, 3, 2006);
        for (int i = 0; i < 5; i++) {
            series.add(day, i * i);
            day = day.next();
        }
        TimeSeries copy = (TimeSeries) series.clone();
        System.out.println(copy.getItemCount() + " " + copy.getValue(3));
        copy.delete(0, 4);
        System.out.println(((TimeSeries) copy.clone()).getItemCount());
    }
}
