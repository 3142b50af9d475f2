package siemens.schedule2;

import java.util.List;
import siemens.Subject;

/** Counts of processes, and commands. */
public final class Inputs implements Subject {
    @Override
    public List<String> inputs() {
        return siemens.schedule.Inputs.commands(10);
    }

    @Override
    public String run(String input) {
        return new Schedule2().run(siemens.schedule.Inputs.numbers(input));
    }
}
