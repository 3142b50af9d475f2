package jinsi.replay;

import java.util.Comparator;
import java.util.HashSet;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * Lets the threads of a test go on, one at a time: when all of them wait, the one with the smallest turn. Which turns there
 * are is said in analysis/src/project/turns.rs.
 */
final class Turns {
    /** A thread that waits. Of two with the same turn, the one that has waited longer goes on. */
    private static final class Waiting {
        final Lane lane;
        final long turn;
        final long since;

        Waiting(Lane lane, long turn, long since) {
            this.lane = lane;
            this.turn = turn;
            this.since = since;
        }
    }

    private final PriorityQueue<Waiting> waiting = new PriorityQueue<>(
            Comparator.<Waiting>comparingLong(w -> w.turn).thenComparingLong(w -> w.since));
    private final Set<Lane> passedOver = new HashSet<>();
    private volatile boolean somePassedOver;
    private Lane running;
    private long changes;
    private boolean abandoned;

    /** A thread that has not been started: it will be when it has its turn. */
    synchronized void add(Lane lane, long turn) {
        waiting.add(new Waiting(lane, turn, changes++));
    }

    /** All threads are there: the first may go on. */
    synchronized void begin() {
        next();
    }

    /** The current thread, which {@code lane} is, waits for its turn. */
    void await(Lane lane, long turn) {
        synchronized (this) {
            waiting.add(new Waiting(lane, turn, changes++));
            next();
            if (running == lane || abandoned) {
                return;
            }
        }
        lane.permit.acquireUninterruptibly();
    }

    /** The thread that {@code lane} is has ended. */
    synchronized void leave(Lane lane) {
        if (!passedOver.remove(lane) || running == null) {
            next();
        }
        somePassedOver = !passedOver.isEmpty();
    }

    /** All threads go on at once, to their ends: one of them waits for something else than its turn. */
    synchronized void abandon() {
        abandoned = true;
        while (!waiting.isEmpty()) {
            wake(waiting.poll().lane);
        }
    }

    /**
     * The current thread waits for a monitor, which has one of those that wait for their turn: they go on without it. It comes back by
     * {@link #returned()}. Says whether there is another thread.
     */
    synchronized boolean passOver() {
        if (running == null || waiting.isEmpty()) {
            return false;
        }
        passedOver.add(running);
        somePassedOver = true;
        next();
        return true;
    }

    /** Lets the current thread wait for its turn if it was passed over, for it has got what it waited for; then gives its lane, else {@code null}. */
    Lane returned() {
        if (!somePassedOver) {
            return null;
        }
        Thread current = Thread.currentThread();
        Lane lane;
        synchronized (this) {
            lane = passedOver.stream().filter(each -> each.thread == current).findFirst().orElse(null);
            if (lane == null) {
                return null;
            }
            passedOver.remove(lane);
            somePassedOver = !passedOver.isEmpty();
            // What it waited for is before all that others do now.
            if (abandoned) {
                return lane;
            }
            waiting.add(new Waiting(lane, 0, changes++));
            if (running == null) {
                next();
            }
        }
        lane.permit.acquireUninterruptibly();
        return lane;
    }

    private void next() {
        changes++;
        Waiting first = waiting.poll();
        Lane last = running;
        running = first == null ? null : first.lane;
        if (running != null && running != last) {
            wake(running);
        }
    }

    private static void wake(Lane lane) {
        if (lane.thread.getState() == Thread.State.NEW) {
            lane.thread.start();
        } else {
            lane.permit.release();
        }
    }

    /** The thread that goes on; {@code null} if all have ended. */
    synchronized Thread running() {
        return running == null ? null : running.thread;
    }

    /** How often one thread has gone on instead of another, for whoever watches them. */
    synchronized long changes() {
        return changes;
    }
}
