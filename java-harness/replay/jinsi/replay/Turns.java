package jinsi.replay;

import java.util.Comparator;
import java.util.HashSet;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets the threads of a test go on, one at a time: when all of them wait, the one with the smallest turn. Which turns there
 * are is said in analysis/level/src/project/turns.rs.
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

    /** No monitor: who waits for it is not {@link Thread.State#BLOCKED}, as those are that have to be passed over. */
    private final ReentrantLock lock = new ReentrantLock();
    private final PriorityQueue<Waiting> waiting = new PriorityQueue<>(
            Comparator.<Waiting>comparingLong(w -> w.turn).thenComparingLong(w -> w.since));
    private final Set<Lane> passedOver = new HashSet<>();
    private volatile boolean somePassedOver;
    private volatile Lane running;
    private volatile long changes;
    private boolean abandoned;

    /** A thread that has not been started: it will be when it has its turn. */
    void add(Lane lane, long turn) {
        lock.lock();
        try {
            waiting.add(new Waiting(lane, turn, changes++));
        } finally {
            lock.unlock();
        }
    }

    /** All threads are there: the first may go on. */
    void begin() {
        lock.lock();
        try {
            next();
        } finally {
            lock.unlock();
        }
    }

    /** The current thread, which {@code lane} is, waits for its turn. */
    void await(Lane lane, long turn) {
        lock.lock();
        try {
            waiting.add(new Waiting(lane, turn, changes++));
            next();
            if (running == lane || abandoned) {
                return;
            }
        } finally {
            lock.unlock();
        }
        lane.permit.acquireUninterruptibly();
    }

    /** The thread that {@code lane} is has ended. */
    void leave(Lane lane) {
        lock.lock();
        try {
            if (!passedOver.remove(lane) || running == null) {
                next();
            }
            somePassedOver = !passedOver.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** All threads go on at once, to their ends: one of them waits for something else than its turn. */
    void abandon() {
        lock.lock();
        try {
            abandoned = true;
            while (!waiting.isEmpty()) {
                wake(waiting.poll().lane);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * {@code blocked}, the thread that goes on, waits for a monitor, which has one of those that wait for their turn: they go on without it. It comes
     * back by {@link #returned()}. Says whether there is another thread. A thread that has got its monitor by now is not passed over.
     */
    boolean passOver(Thread blocked) {
        lock.lock();
        try {
            if (running == null || running.thread != blocked) {
                return true;
            }
            if (waiting.isEmpty()) {
                return false;
            }
            passedOver.add(running);
            somePassedOver = true;
            // Who still waits sees that it is passed over when it goes on, and not before.
            if (blocked.getState() == Thread.State.BLOCKED) {
                next();
            } else {
                passedOver.remove(running);
                somePassedOver = !passedOver.isEmpty();
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Lets the current thread wait for its turn if it was passed over, for it has got what it waited for; then gives its lane, else {@code null}. */
    Lane returned() {
        if (!somePassedOver) {
            return null;
        }
        Thread current = Thread.currentThread();
        Lane lane;
        lock.lock();
        try {
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
        } finally {
            lock.unlock();
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
    Thread running() {
        Lane lane = running;
        return lane == null ? null : lane.thread;
    }

    /** How often one thread has gone on instead of another, for whoever watches them. */
    long changes() {
        return changes;
    }
}
