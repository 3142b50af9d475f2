package billing;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;

/** What became of the last jobs. */
public class JobLog {
    private static final int MOST = 100;

    private final Deque<String> lines = new ArrayDeque<>();
    private final AtomicInteger done = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();

    public void done(String customer, int month, long cents) {
        done.incrementAndGet();
        add(customer + " " + month + ": " + cents);
    }

    public void failed(String customer, int month, Exception e) {
        failed.incrementAndGet();
        add(customer + " " + month + ": " + e);
    }

    public int done() {
        return done.get();
    }

    public int failed() {
        return failed.get();
    }

    private synchronized void add(String line) {
        lines.addLast(line);
        if (lines.size() > MOST) {
            lines.removeFirst();
        }
    }
}
