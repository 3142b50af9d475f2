package gang.app;

import java.util.ArrayList;
import java.util.List;

/** What came in, in which order. */
class Tally {
    private final Object lock = new Object();
    private final List<String> entries = new ArrayList<>();
    private int sum;
    private int limit = Integer.MAX_VALUE;

    synchronized void limit(int most) {
        limit = most;
    }

    private synchronized int limit() {
        return limit;
    }

    void add(String who, int amount) {
        if (amount > limit()) {
            throw new IllegalStateException(who + " adds too much");
        }
        synchronized (lock) {
            entries.add(who + amount);
            sum = sum * 3 + amount;
        }
    }

    int sum() {
        synchronized (lock) {
            return sum;
        }
    }

    String text() {
        synchronized (lock) {
            return sum + " " + entries;
        }
    }
}
