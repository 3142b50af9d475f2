package jinsi.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.function.Executable;

/** The tests of a class, each named by a sentence, and what they assert. */
final class Check {
    private final List<DynamicTest> tests = new ArrayList<>();

    /** Adds a test. */
    void test(String name, Executable body) {
        tests.add(DynamicTest.dynamicTest(name, body));
    }

    /** The tests that were added. */
    List<DynamicTest> tests() {
        return tests;
    }

    /** The two must be equal. */
    void equal(Object expected, Object actual) {
        assertEquals(expected, actual);
    }

    /** {@code text} must contain {@code part}. */
    void contains(String part, String text) {
        assertTrue(text.contains(part), () -> "no \"" + part + "\" in \"" + text + '"');
    }

    /** A test ended like this. */
    void verdict(Verdict.Result result, Why why, TestRun run) {
        Verdict verdict = run.verdict();
        assertEquals(result + " " + why, verdict.result + " " + verdict.why, verdict.detail);
    }
}
