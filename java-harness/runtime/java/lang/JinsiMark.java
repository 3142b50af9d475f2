package java.lang;

import static java.lang.JinsiRaw.KIND_MARK;
import static java.lang.JinsiRaw.PHASE_BEGIN;
import static java.lang.JinsiRaw.PHASE_END;
import static java.lang.JinsiRaw.PHASE_FAILED;

/**
 * Marks in the recording: which test is running ({@link JinsiEngines}).
 *
 * <p>Each mark is an event of the thread that calls, so that the events between two of them are those of a test that runs on one thread.
 */
final class JinsiMark {
    /** The number of a test that is not in the table. */
    private static final int NONE = -1;

    private JinsiMark() {}

    static void warmUp() {
        test0(null, null);
        ended0(NONE);
    }

    /**
     * A test begins on this thread.
     *
     * @param testClass binary name of its class
     * @param name its method, and what tells apart the runs of one that is run several times
     * @return its number, negative if nothing is being recorded
     */
    static int begin(String testClass, String name) {
        try {
            int test = JinsiBuffer.isReady() ? test0(testClass, JinsiRedact.of(name)) : NONE;
            event(test, PHASE_BEGIN);
            return test;
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return NONE;
        }
    }

    /** The test with this number, from {@link #begin}, has ended and did not fail. */
    static void end(int test) {
        try {
            event(test, PHASE_END);
            ended0(test);
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // left out
        }
    }

    /** The test with this number, from {@link #begin}, was ended by {@code throwable}. That of a test without one is counted. */
    static void failed(int test, Throwable throwable) {
        try {
            if (test < 0 && JinsiBuffer.isReady()) {
                JinsiThrowables.failedUnseen();
            } else if (test >= 0 && throwable != null) {
                JinsiThrowables.failed(throwable, test);
            }
            event(test, PHASE_FAILED);
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // left out
        }
    }

    private static void event(int test, int phase) {
        if (test >= 0) {
            JinsiBuffer.open();
            JinsiBuffer.word((long) test << 2 | phase);
            JinsiBuffer.close(0, KIND_MARK);
        }
    }

    /** The test with this number does not run any more. Nothing happens if it is negative. */
    private static native void ended0(int test);

    /** Puts a test into the trace's table; its number, negative if the recording has ended or it has no name. */
    private static native int test0(String testClass, String name);
}
