package timesheet;

import java.util.List;

/** A week of seven days, from 1. */
public class Week {
    private final int contract;

    public Week(int contract) {
        this.contract = contract;
    }

    /** Hours of each day. */
    public String line(List<Shift> shifts) {
        int[] hours = new int[7];
        for (Shift shift : shifts) {
            hours[shift.day()] += shift.hours();
        }
        StringBuilder line = new StringBuilder();
        for (int each : hours) {
            line.append(each == 0 ? "-" : String.valueOf(each));
        }
        return line.toString();
    }

    public int extra(List<Shift> shifts) {
        return Math.max(0, shifts.stream().mapToInt(Shift::hours).sum() - contract);
    }
}
