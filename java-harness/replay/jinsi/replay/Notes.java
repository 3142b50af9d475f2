package jinsi.replay;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What a person should know about a replay that was not exact. Bounded: a loop must not fill the memory. */
final class Notes {
    private static final int MAX = 100;

    private final List<String> lines = new ArrayList<>();
    private long dropped;

    /** Whether there is room; saves making text that would be dropped. */
    boolean hasRoom() {
        return lines.size() < MAX;
    }

    /** Adds a line, or counts it if there are too many. */
    void add(String line) {
        if (hasRoom()) {
            lines.add(line);
        } else {
            dropped++;
        }
    }

    /** All lines, the last one saying how many were dropped. */
    List<String> lines() {
        if (dropped == 0) {
            return Collections.unmodifiableList(lines);
        }
        List<String> all = new ArrayList<>(lines);
        all.add("and " + dropped + " more");
        return all;
    }
}
