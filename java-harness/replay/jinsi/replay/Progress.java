package jinsi.replay;

import java.util.Deque;

/** Which thread of a test goes on, what that executes, and what has ended the test. */
final class Progress {
    private final ThreadGroup group = Thread.currentThread().getThreadGroup();
    /** The thread that may ask now. */
    private volatile Lane lane;
    /** Where threads wait for each other; {@code null} if there is but one. */
    private final Turns turns;
    private volatile Verdict verdict;

    /** Of a test of the current thread, which leaves so, or, if it is threaded, of several. */
    Progress(boolean isThreaded, Runnable leave) {
        lane = new Lane(Thread.currentThread(), Meetings.NONE, false, leave);
        turns = isThreaded ? new Turns() : null;
    }

    /** What ended the test early, or {@code null}. */
    Verdict verdict() {
        return verdict;
    }

    /** Remembers the first verdict; what is thrown always carries that one. */
    synchronized Stop stop(Stop cause) {
        if (lane.isOver() && Thread.currentThread() == lane.thread) {
            return cause;
        }
        if (verdict == null) {
            verdict = cause.verdict;
        }
        return verdict == cause.verdict ? cause : new Stop(verdict);
    }

    /** The test has ended in one of its threads; the others end at the next opportunity. */
    synchronized void conclude(Verdict end) {
        if (verdict == null) {
            verdict = end;
        }
    }

    /** The recording of the current thread has ended inside a call. So does the thread, and the others go on. */
    Stop endThread() {
        own().end();
        Standstill.stayInCall(lane.leave);
        return new Stop(Verdict.PASSING);
    }

    /** Ends the current thread if the test has ended, or the thread's recording. */
    void stopIfEnded() {
        Verdict end = lane.isOver() && Thread.currentThread() == lane.thread ? Verdict.PASSING : verdict;
        if (end != null) {
            throw new Stop(end);
        }
    }

    /** What the current thread is executing, innermost first. */
    Deque<Context> contexts() {
        return own().contexts;
    }

    /** The lane of the current thread, which may have waited for a monitor, and been passed over, in the midst of something. */
    private Lane own() {
        if (Thread.currentThread() != lane.thread) {
            comeBack();
        }
        return lane;
    }

    /** Where the threads of this test wait for each other; {@code null} if it has but one. */
    Turns turns() {
        return turns;
    }

    /** From now on the current thread, which has its turn, is the one that may ask. */
    void goOn(Lane next) {
        lane = next;
    }

    /** Lets others go on until it is the current thread's turn. */
    void await(long turn) {
        if (turns == null) {
            return;
        }
        comeBack();
        Lane own = lane;
        turns.await(own, turn);
        goOn(own);
        stopIfEnded();
    }

    /** If the current thread was passed over while it waited for a monitor, it waits for its turn now. */
    void comeBack() {
        Lane back = turns == null ? null : turns.returned();
        if (back != null) {
            goOn(back);
            stopIfEnded();
        }
    }

    /** A method of observed code begins. */
    void enter() {
        comeBack();
        // Threads that are none of the recorded ones are stopped where they ask for something.
        if (turns != null && Thread.currentThread() == lane.thread) {
            long turn = contexts().peek().enter();
            if (turn >= 0) {
                await(turn);
            }
        }
    }

    /** Observed code meets other threads: it enters a monitor, or accesses a volatile field. */
    void meet() {
        comeBack();
        if (turns != null && Thread.currentThread() == lane.thread) {
            long turn = lane.meet();
            if (turn >= 0) {
                await(turn);
            }
        }
    }

    /** The current thread has passed a point of the replay. */
    void pass(Turn turn) {
        own().pass(turn);
    }

    /** The current thread asks for something: it has to be the one that may, and the test has to go on. */
    void check() {
        comeBack();
        Thread current = Thread.currentThread();
        if (current != lane.thread) {
            Stop foreign = Stop.unresolved(Why.HARNESS, "thread " + current.getName()
                    + " reached the environment, and is none of the recorded ones");
            // A finalizer left over from an earlier test must not decide this one.
            throw current.getThreadGroup() == group ? stop(foreign) : foreign;
        }
        stopIfEnded();
    }
}
