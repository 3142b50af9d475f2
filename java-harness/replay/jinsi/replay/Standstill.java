package jinsi.replay;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * How a replay ends that would not end by itself: its thread stays where it is. An agent that records the replay so sees calls that did
 * not return, as in the program.
 */
final class Standstill {
    /** Whether the recorded program did not end; the property is for a single replay that is recorded. */
    private static final boolean EXPECTED = Boolean.getBoolean("jinsi.replay.endless");
    private static final boolean RECORDED = Boolean.getBoolean("jinsi.replay.recorded");

    private final CountDownLatch over = new CountDownLatch(1);
    private volatile Verdict verdict;

    /** Keeps the current thread here for ever if that is how the program behaved; else does nothing. */
    void stay(Stop stop) {
        if (EXPECTED) {
            verdict = stop.verdict;
            over.countDown();
            while (true) {
                LockSupport.park();
            }
        }
    }

    /**
     * The recording of the current thread ends inside a call: it ended the program, or waited until another did. If the replay is recorded, the thread
     * stays here for ever, after {@code leave}; else does nothing.
     */
    static void stayInCall(Runnable leave) {
        if (RECORDED) {
            leave.run();
            while (true) {
                LockSupport.park();
            }
        }
    }

    /** All that was recorded has run, and the test's thread stays where it is. */
    void leave() {
        verdict = Verdict.PASSING;
        over.countDown();
    }

    /** The test's thread has come to its end. */
    void end() {
        over.countDown();
    }

    /**
     * Waits for the end of {@code thread}, or until it stays where it is.
     *
     * @return what the test ends with if it stays; {@code null} if it has come to its end
     */
    Verdict await(Thread thread) throws InterruptedException {
        over.await();
        if (verdict == null) {
            thread.join();
        }
        return verdict;
    }
}
