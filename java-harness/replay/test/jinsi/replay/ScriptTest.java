package jinsi.replay;

import static jinsi.replay.SessionBuilder.returned;
import static jinsi.replay.SessionBuilder.values;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Replay for written tests: answers in order, identities of objects that the test makes. */
final class ScriptTest {
    private static final String CLASS = "sample/Panel";
    private static final String GAUGE = "sample/Gauge";
    private static final Value PANEL = Value.object(1);
    private static final Value U = Value.object(2);

    @TestFactory
    List<DynamicTest> tests() {
        Check check = new Check();
        check.test("script: answers in order", () -> {
            try (ScriptReplay replay = start(9)) {
                Object panel = replay.construct("sample.Panel", "()V");
                check.equal(true, panel == replay.object(1));
                replay.call("sample.Panel", "setGauge", "(Lsample/Gauge;)V", panel, replay.object(2));
                check.equal(9, replay.call("sample.Panel", "show", "()I", panel));
                check.equal(null, replay.outcome(null));
            }
        });
        check.test("script: a question too many", () -> {
            try (ScriptReplay replay = start(9)) {
                Object panel = replay.construct("sample.Panel", "()V");
                replay.call("sample.Panel", "setGauge", "(Lsample/Gauge;)V", panel, replay.object(2));
                check.equal(-1, replay.call("sample.Panel", "showTwice", "()I", panel));
                Throwable outcome = replay.outcome(null);
                check.equal(AssertionError.class, outcome.getClass());
                check.contains("expected nothing more, got call sample/Gauge.read()I on #2", outcome.getMessage());
            }
        });
        check.test("script: exceptions come out as they are, without bridges", () -> {
            try (ScriptReplay replay = start(9)) {
                Object panel = replay.construct("sample/Panel", "()V");
                try {
                    replay.call("sample.Panel", "show", "()I", panel);
                    check.equal("exception", "none");
                } catch (NullPointerException e) {
                    Throwable outcome = replay.outcome(e);
                    check.equal(true, outcome == e);
                    check.equal("show", e.getStackTrace()[0].getMethodName());
                }
            }
        });
        check.test("script: object that the test has not made", () -> {
            try (ScriptReplay replay = start(9)) {
                replay.object(1);
                check.equal("error", "none");
            } catch (AssertionError e) {
                check.contains("observed object #1 (sample/Panel)", e.getMessage());
            }
        });
        check.test("script: a worker's session is refused", () -> {
            try {
                ScriptReplay.start(PanelTest.panel().bytes(), null, null, true).close();
                check.equal("refused", "accepted");
            } catch (SessionFormatException e) {
                check.contains("worker", e.getMessage());
            }
        });
        return check.tests();
    }

    private static ScriptReplay start(int value) throws IOException {
        return ScriptReplay.start(session(value), ScriptTest.class.getClassLoader(), "no.Test", true);
    }

    /** A panel, its class initializer's question, and one reading. */
    static byte[] session(int value) throws IOException {
        SessionBuilder b = PanelTest.panel();
        b.script(List.of(), b.out(3, "sample/Config", Value.NULL, values(), returned(5)),
                b.out(0, GAUGE, U, values(), returned(value)));
        b.call(CLASS + ".show()I", PANEL, values(), returned(value));
        return b.bytes();
    }
}
