package harm;

import java.util.ArrayList;
import java.util.List;

/** Something with a state, around the harm: not all of its calls are needed for the failure. */
final class Job {
    private final Canary canary;
    private final List<String> begun = new ArrayList<>();

    Job(Canary canary) {
        this.canary = canary;
    }

    void begin(String what) {
        begun.add(what);
        canary.prepare(begun.size());
    }

    void run(String way) throws Throwable {
        if (begun.isEmpty()) {
            throw new IllegalArgumentException("nothing has begun");
        }
        Ways.go(way, canary);
    }
}
