package jinsi.replay;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Semaphore;

/** A thread of a test, and what it is executing. */
final class Lane {
    /** The thread that replays it. */
    final Thread thread;
    /** What is being executed, innermost first; at the bottom what happens outside of everything. */
    final Deque<Context> contexts = new ArrayDeque<>();
    /** Whom {@link Turns} lets go on finds a permit here. */
    final Semaphore permit = new Semaphore(0);
    private final Meetings meetings;
    /** Whether the test is that of all interactions, as recorded. */
    private final boolean notes;
    /** What lets the others go on without it. */
    final Runnable leave;
    private int met;
    /** Its recording has ended inside a call: whatever the thread does now is nothing that was recorded. */
    private volatile boolean over;

    Lane(Thread thread, Meetings meetings, boolean notes, Runnable leave) {
        this.thread = thread;
        this.leave = leave;
        this.meetings = meetings;
        this.notes = notes;
        contexts.push(new Context("no interaction", List.of()));
    }

    /** Its recording has ended inside a call. */
    void end() {
        over = true;
    }

    /** Whether it has. */
    boolean isOver() {
        return over;
    }

    /** A point of the replay has been passed. */
    void pass(Turn turn) {
        contexts.peek().pass(turn);
        if (notes) {
            meetings.note(turn.first, met);
        } else {
            met = meetings.before(turn.first, met);
        }
    }

    /** The thread meets others: when it may go on, or -1 if there is nothing to wait for. */
    long meet() {
        return meetings.turn(++met);
    }
}
