package jinsi.replay;

import java.util.Objects;

/** Counts checks and says which failed. */
final class Check {
    /** A test that may throw anything. */
    interface Body {
        void run() throws Throwable;
    }

    private int passed;
    private int failed;
    private String problem;

    /** Runs a named test; it passes if it neither throws nor finds a difference. */
    void test(String name, Body body) {
        problem = null;
        try {
            body.run();
        } catch (Throwable e) {
            problem = "threw " + e;
            e.printStackTrace();
        }
        if (problem == null) {
            passed++;
        } else {
            failed++;
            System.out.println("FAILED " + name + ": " + problem);
        }
    }

    /** The two must be equal. */
    void equal(Object expected, Object actual) {
        if (!Objects.equals(expected, actual) && problem == null) {
            problem = "expected " + expected + ", got " + actual;
        }
    }

    /** {@code text} must contain {@code part}. */
    void contains(String part, String text) {
        if (!text.contains(part) && problem == null) {
            problem = "no \"" + part + "\" in \"" + text + '"';
        }
    }

    /** A test ended like this. */
    void verdict(Verdict.Result result, Why why, TestRun run) {
        Verdict verdict = run.verdict();
        if ((verdict.result != result || verdict.why != why) && problem == null) {
            problem = "expected " + result + " " + why + ", got " + verdict.result + " " + verdict.why + ": "
                    + verdict.detail;
        }
    }

    /** Prints the sum; whether all passed. */
    boolean summary() {
        System.out.println(passed + " passed, " + failed + " failed");
        return failed == 0;
    }
}
