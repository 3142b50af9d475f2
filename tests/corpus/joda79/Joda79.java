package joda79;

import org.joda.time.Period;
import org.joda.time.PeriodType;

/** Normalizes periods, at last into months alone. */
public class Joda79 {
    private Joda79() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        Period[] periods = {
            new Period().withMonths(15).withDays(3), new Period(2, 4, 0, 9, 0, 70, 0, 0), Period.years(2).plusMonths(4)
        };
        for (Period period : periods) {
            System.out.println(period.normalizedStandard());
        }
        for (Period period : periods) {
            System.out.println(period.normalizedStandard(PeriodType.yearMonthDayTime()));
            System.out.println(period.normalizedStandard(PeriodType.months()));
        }
    }
}
