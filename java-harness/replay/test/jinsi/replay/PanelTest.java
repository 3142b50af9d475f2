package jinsi.replay;

import static jinsi.replay.SessionBuilder.callback;
import static jinsi.replay.SessionBuilder.returned;
import static jinsi.replay.SessionBuilder.values;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Receivers, call-backs and class initializers, exceptions, traps, budget, recursion. */
final class PanelTest {
    private static final String CLASS = "sample/Panel";
    private static final String GAUGE = "sample/Gauge";
    private static final Value PANEL = Value.object(1);
    private static final Value U = Value.object(2);
    private static final Value U2 = Value.object(3);

    @TestFactory
    List<DynamicTest> tests() {
        Check check = new Check();
        check.test("receiver: the other object's answer is not used", () -> receiver(check));
        check.test("place: preferred when re-synchronizing, demanded when strict", () -> places(check));
        check.test("receiver null: NullPointerException of the program", () -> {
            TestRun run = TestRuns.of(twoGauges().build(), Mode.RESYNCHRONIZING, 0, 3);
            check.verdict(Verdict.Result.UNRESOLVED, Why.NULL_RECEIVER, run);
            check.equal("java.lang.NullPointerException", run.verdict().exception.getClass().getName());
        });
        check.test("call-back runs before the answer and its effect stays", () -> callBack(check));
        check.test("call-back: the failure that passes through it is the failure", () -> failingCallBack(check));
        check.test("call-back: its recorded exception comes back out of the outgoing call", () -> {
            SessionBuilder b = panel().throwable(9, "java/lang/IllegalStateException", "off the scale", 0);
            b.call(CLASS + ".ask()V", PANEL, values(), Outcome.threw(9), b.out(1, GAUGE, U, values(PANEL),
                    Outcome.threw(9), List.of(callback(CLASS + ".alerted(I)V", PANEL, values(101), Outcome.threw(9))),
                    List.of()));
            b.failure("java.lang.IllegalStateException", "off the scale", "sample.Panel", "alerted");
            check.verdict(Verdict.Result.FAILING, Why.NONE, TestRuns.of(b.build(), Mode.STRICT, 0, 1, 2));
        });
        check.test("call-back: an unrecorded exception", () -> {
            SessionBuilder b = panel();
            askWith(b, 101);
            check.verdict(Verdict.Result.UNRESOLVED, Why.OTHER_EXCEPTION,
                    TestRuns.of(b.build(), Mode.RESYNCHRONIZING, 0, 1, 2));
        });
        check.test("replay's error is not swallowed", () -> {
            SessionBuilder b = panel();
            b.call(CLASS + ".showTwice()I", PANEL, values(), returned(2), b.out(0, GAUGE, U, values(), returned(1)));
            b.call(CLASS + ".sum()I", PANEL, values(), returned(5));
            check.verdict(Verdict.Result.UNRESOLVED, Why.NO_ALTERNATIVE,
                    TestRuns.of(b.build(), Mode.RESYNCHRONIZING, 0, 1, 2, 3));
        });
        check.test("recorded exception of the environment is thrown, and may be the failure", () -> thrown(check));
        check.test("where the recording ended inside a call, so does the test, as recorded", () -> {
            SessionBuilder b = panel();
            b.call(CLASS + ".show()I", PANEL, values(), Outcome.open(), b.out(0, GAUGE, U, values(), Outcome.open()));
            check.verdict(Verdict.Result.PASSING, Why.NONE, TestRuns.of(b.build(), Mode.STRICT, 0, 1, 2));
        });
        check.test("natural code asks a stand-in: identity, or the recorded answer", () -> natural(check));
        check.test("a lambda's stand-in, called by observed and by natural code", () -> lambda(check));
        check.test("natural code gets to the body of a lambda, with what that captured before the arguments",
                () -> check.verdict(Verdict.Result.PASSING, Why.NONE, lambdaBody("sample/Other", 20)));
        check.test("the body is no answer of another lambda that calls it",
                () -> check.verdict(Verdict.Result.UNRESOLVED, Why.DIVERGENCE,
                        lambdaBody("java/util/function/IntUnaryOperator", 20)));
        check.test("strict: another argument is a divergence",
                () -> check.verdict(Verdict.Result.UNRESOLVED, Why.DIVERGENCE, lambdaBody("sample/Other", 21)));
        check.test("strict: another result is a divergence", () -> {
            SessionBuilder b = panel();
            b.call(CLASS + ".sum()I", PANEL, values(), returned(6));
            check.verdict(Verdict.Result.UNRESOLVED, Why.DIVERGENCE, TestRuns.of(b.build(), Mode.STRICT, 0, 2));
            check.verdict(Verdict.Result.PASSING, Why.NONE, TestRuns.of(b.build(), Mode.RESYNCHRONIZING, 0, 2));
        });
        check.test("endless loop", () -> {
            SessionBuilder b = panel();
            b.call(CLASS + ".spin()V", PANEL, values(), Outcome.open());
            TestRun run = TestRuns.of(b.build(), Mode.RESYNCHRONIZING, 0, 2);
            check.verdict(Verdict.Result.UNRESOLVED, Why.BUDGET, run);
            check.equal(1_000_001L, run.backEdges());
        });
        check.test("out of memory: contained, and the next test runs", () -> {
            SessionBuilder b = panel();
            b.call(CLASS + ".hoard()J", PANEL, values(), Outcome.open());
            b.call(CLASS + ".sum()I", PANEL, values(), returned(5));
            TestRun run = TestRuns.of(b.build(), Mode.RESYNCHRONIZING, 0, 2);
            check.verdict(Verdict.Result.UNRESOLVED, Why.OTHER_EXCEPTION, run);
            check.equal("java.lang.OutOfMemoryError", run.verdict().exception.getClass().getName());
            check.verdict(Verdict.Result.PASSING, Why.NONE, TestRuns.of(b.build(), Mode.RESYNCHRONIZING, 0, 3));
        });
        check.test("endless recursion", () -> {
            SessionBuilder b = panel();
            b.call(CLASS + ".deep(I)I", PANEL, values(0), Outcome.open());
            check.verdict(Verdict.Result.UNRESOLVED, Why.OTHER_EXCEPTION,
                    TestRuns.of(b.build(), Mode.RESYNCHRONIZING, 0, 2));
        });
        check.test("an observed object as argument whose constructor was left out", () -> {
            SessionBuilder b = panel().object(7, CLASS, ObjectInfo.Role.OBSERVED);
            b.call(CLASS + ".equals(Ljava/lang/Object;)Z", PANEL, values(Value.object(7)), returned(false));
            check.verdict(Verdict.Result.UNRESOLVED, Why.ARGUMENT_MISSING,
                    TestRuns.of(b.build(), Mode.RESYNCHRONIZING, 0, 2));
        });
        check.test("an interaction that the session does not have", () -> check.verdict(Verdict.Result.UNRESOLVED,
                Why.HARNESS, TestRuns.of(panel().build(), Mode.RESYNCHRONIZING, 0, 77)));
        return check.tests();
    }

    private static void receiver(Check check) throws Exception {
        Session session = twoGauges().build();
        check.verdict(Verdict.Result.PASSING, Why.NONE, TestRuns.of(session, Mode.STRICT, 0, 1, 2, 3));
        check.verdict(Verdict.Result.PASSING, Why.NONE, TestRuns.of(session, Mode.RESYNCHRONIZING, 0, 2, 3));
        TestRun other = TestRuns.of(session, Mode.RESYNCHRONIZING, 0, 1, 3);
        check.verdict(Verdict.Result.UNRESOLVED, Why.OTHER_RECEIVER, other);
    }

    private static void places(Check check) throws Exception {
        SessionBuilder b = panel();
        b.call(CLASS + ".setBrief(Z)V", PANEL, values(true), returned());
        b.call(CLASS + ".setBrief(Z)V", PANEL, values(false), returned());
        Outgoing first = b.out(0, GAUGE, U, values(), returned(1));
        Outgoing second = b.out(4, GAUGE, U, values(), returned(2));
        b.call(CLASS + ".last()I", PANEL, values(), returned(2), first, second);
        check.verdict(Verdict.Result.PASSING, Why.NONE, TestRuns.of(b.build(), Mode.STRICT, 0, 1, 2, 3, 4));
        TestRun brief = TestRuns.of(b.build(), Mode.RESYNCHRONIZING, 0, 1, 2, 4);
        check.verdict(Verdict.Result.PASSING, Why.NONE, brief);
        check.equal(List.of(1, second.no), brief.used());
        check.equal(true, brief.resynchronized());
        SessionBuilder swapped = panel();
        swapped.call(CLASS + ".last()I", PANEL, values(), returned(2),
                swapped.out(4, GAUGE, U, values(), returned(2)), swapped.out(0, GAUGE, U, values(), returned(1)));
        check.verdict(Verdict.Result.UNRESOLVED, Why.DIVERGENCE, TestRuns.of(swapped.build(), Mode.STRICT, 0, 1, 2));
        TestRun passed = TestRuns.of(swapped.build(), Mode.RESYNCHRONIZING, 0, 1, 2);
        check.verdict(Verdict.Result.UNRESOLVED, Why.NO_ALTERNATIVE, passed);
    }

    private static void callBack(Check check) throws Exception {
        SessionBuilder b = panel();
        askWith(b, 3);
        b.call(CLASS + ".sum()I", PANEL, values(), returned(8));
        check.verdict(Verdict.Result.PASSING, Why.NONE, TestRuns.of(b.build(), Mode.STRICT, 0, 1, 2, 3));
    }

    private static void failingCallBack(Check check) throws Exception {
        SessionBuilder b = panel();
        askWith(b, 101);
        b.failure("java.lang.IllegalStateException", "off the scale", "sample.Panel", "alerted");
        check.verdict(Verdict.Result.FAILING, Why.NONE, TestRuns.of(b.build(), Mode.RESYNCHRONIZING, 0, 1, 2));
        SessionBuilder elsewhere = panel();
        askWith(elsewhere, 101);
        elsewhere.failure("java.lang.IllegalStateException", "off the scale", "sample.Panel", "show");
        check.verdict(Verdict.Result.UNRESOLVED, Why.OTHER_EXCEPTION,
                TestRuns.of(elsewhere.build(), Mode.RESYNCHRONIZING, 0, 1, 2));
    }

    private static void thrown(Check check) throws Exception {
        SessionBuilder b = panel().throwable(8, "java/io/IOException", "cable", 9,
                new StackTraceElement("sample.Gauge", "read", "Gauge.java", 12));
        b.throwable(9, "java/lang/Error", null, 0);
        b.call(CLASS + ".show()I", PANEL, values(), Outcome.threw(8),
                b.out(0, GAUGE, U, values(), Outcome.threw(8)));
        // Survived by the driver in the recording, and so here.
        TestRun survived = TestRuns.of(b.build(), Mode.STRICT, 0, 1, 2);
        check.verdict(Verdict.Result.PASSING, Why.NONE, survived);
        b.failure("java.io.IOException", "cable", "sample.Gauge", "read");
        TestRun failing = TestRuns.of(b.build(), Mode.STRICT, 0, 1, 2);
        check.verdict(Verdict.Result.FAILING, Why.NONE, failing);
        Throwable exception = failing.verdict().exception;
        check.equal("cable", exception.getMessage());
        check.equal("java.lang.Error", exception.getCause().getClass().getName());
        check.equal(null, exception.getCause().getCause());
        check.equal(12, exception.getStackTrace()[0].getLineNumber());
        check.equal(0, exception.getSuppressed().length);
    }

    private static void natural(Check check) throws Exception {
        SessionBuilder b = panel();
        b.call(CLASS + ".lookUp(Lsample/Gauge;)I", PANEL, values(U), returned(7));
        TestRun identity = TestRuns.of(b.build(), Mode.STRICT, 0, 2);
        check.verdict(Verdict.Result.PASSING, Why.NONE, identity);
        check.equal(2, identity.notes().size());
        SessionBuilder asked = panel();
        asked.call(CLASS + ".lookUp(Lsample/Gauge;)I", PANEL, values(U), returned(7),
                asked.trapped(1, U, values(), returned(42)), asked.trapped(1, U, values(), returned(42)));
        TestRun recorded = TestRuns.of(asked.build(), Mode.STRICT, 0, 2);
        check.verdict(Verdict.Result.PASSING, Why.NONE, recorded);
        check.equal(3, recorded.used().size());
    }

    private static void lambda(Check check) throws Exception {
        SessionBuilder b = panel().object(6, "sample/Other$$Lambda+0x0000000800c03000", ObjectInfo.Role.HIDDEN);
        b.bridge(2, Op.CALL, "java/util/function/IntUnaryOperator.applyAsInt(I)I", CLASS + ".apply()I");
        Value operator = Value.object(6);
        Outgoing first = b.out(2, "sample/Other$$Lambda+0x0000000800c03000", operator, values(20), returned(40));
        Outgoing second = new Outgoing(50, Turn.NONE, Op.CALL, first.member, first.targetClass, 0, 0, 0, operator, values(1),
                returned(2), List.of(), List.of());
        b.call(CLASS + ".apply(Ljava/util/function/IntUnaryOperator;)I", PANEL, values(operator), returned(42), first,
                second);
        check.verdict(Verdict.Result.PASSING, Why.NONE, TestRuns.of(b.build(), Mode.STRICT, 0, 2));
    }

    /** Natural code calls a lambda of {@code host}; what was recorded is the method that lambdas of {@code sample.Other} lead to. */
    private static TestRun lambdaBody(String host, int argument) throws Exception {
        String type = host + "$$Lambda+0x0000000800c03000";
        SessionBuilder b = panel().object(6, type, ObjectInfo.Role.HIDDEN);
        b.bridge(2, Op.CALL, "java/util/function/IntUnaryOperator.applyAsInt(I)I", CLASS + ".apply()I");
        Value operator = Value.object(6);
        Outgoing first = b.out(2, type, operator, values(argument), returned(40));
        Member body = new Member("sample/Other", "lambda$apply$0", "(II)I");
        Outgoing second = new Outgoing(50, Turn.NONE, Op.CALL_STATIC, body, "sample/Other", 0, 0, 0, Value.NULL, values(7, 1),
                returned(2), List.of(), List.of());
        b.call(CLASS + ".apply(Ljava/util/function/IntUnaryOperator;)I", PANEL, values(operator), returned(42), first,
                second);
        return TestRuns.of(b.build(), Mode.STRICT, 0, 2);
    }

    /** A panel whose class initializer asked for 5: interaction 0 makes it, interaction 1 gives it gauge U. */
    static SessionBuilder panel() throws IOException {
        SessionBuilder b = new SessionBuilder().observed(CLASS).environment(GAUGE)
                .bridge(0, Op.CALL, GAUGE + ".read()I", CLASS + ".show()I")
                .bridge(1, Op.CALL, GAUGE + ".report(Lsample/Panel;)V", CLASS + ".ask()V")
                .bridge(4, Op.CALL, GAUGE + ".read()I", CLASS + ".last()I")
                .bridge(3, Op.CALL_STATIC, "sample/Config.start()I", CLASS + ".<clinit>()V")
                .trap(0, Op.CALL, GAUGE + ".read()I")
                .trap(1, Op.CALL, GAUGE + ".hashCode()I")
                .trap(2, Op.CALL, GAUGE + ".report(Lsample/Panel;)V")
                .object(1, CLASS, ObjectInfo.Role.OBSERVED)
                .object(2, GAUGE, ObjectInfo.Role.MOCK)
                .object(3, GAUGE, ObjectInfo.Role.MOCK);
        b.classInit(CLASS, b.out(3, "sample/Config", Value.NULL, values(), returned(5)));
        b.construct(CLASS + ".<init>()V", PANEL, values());
        return b.call(CLASS + ".setGauge(Lsample/Gauge;)V", PANEL, values(U), returned());
    }

    /** Interaction 2 gives gauge U2, interaction 3 reads. */
    private static SessionBuilder twoGauges() throws IOException {
        SessionBuilder b = panel();
        b.call(CLASS + ".setGauge(Lsample/Gauge;)V", PANEL, values(U2), returned());
        return b.call(CLASS + ".show()I", PANEL, values(), returned(9), b.out(0, GAUGE, U2, values(), returned(9)));
    }

    /** Interaction 2: the panel asks the gauge, which tells it {@code value}. */
    private static void askWith(SessionBuilder b, int value) {
        b.call(CLASS + ".ask()V", PANEL, values(), returned(), b.out(1, GAUGE, U, values(PANEL), returned(),
                List.of(callback(CLASS + ".alerted(I)V", PANEL, values(value), returned())), List.of()));
    }
}
