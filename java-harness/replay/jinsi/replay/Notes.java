package jinsi.replay;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What a person should know about a replay that was not exact. Bounded: a loop must not fill the memory. */
final class Notes {
    private static final int MAX = 100;

    private final List<String> lines = new ArrayList<>();
    private long dropped;
    private String doubt;

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

    /** Adds a line that says of what was answered that it may not be so. */
    void doubt(String line) {
        add(line);
        if (doubt == null) {
            doubt = line;
        }
    }

    /** The first line that was a doubt, or {@code null}. */
    String doubt() {
        return doubt;
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
