package jinsi.replay;

import static jinsi.replay.SessionBuilder.returned;
import static jinsi.replay.SessionBuilder.values;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Burger 2011, Listing 4.1: which subsets of NumberWriter's interactions stay in sync, and with which answers. */
final class NumberWriterTest {
    private static final String CLASS = "sample/NumberWriter";
    private static final String WRITE = CLASS + ".writeNumbers()V";
    private static final Value WRITER = Value.object(2);

    @TestFactory
    List<DynamicTest> tests() {
        Check check = new Check();
        check.test("NumberWriter, strict", () -> {
            TestRun run = TestRuns.of(recorded(2), Mode.STRICT, 0, 1, 2, 3);
            check.verdict(Verdict.Result.PASSING, Why.NONE, run);
            check.equal(List.of(1, 2, 3, 4), run.used());
            check.equal(false, run.resynchronized());
            check.equal(List.of(), run.notes());
            check.equal(2L, run.backEdges());
        });
        for (int bits = 0; bits < 16; bits++) {
            int subset = bits;
            check.test("NumberWriter, subset " + Integer.toBinaryString(16 + bits).substring(1),
                    () -> subset(check, subset));
        }
        check.test("NumberWriter, loop longer than recorded", () -> {
            Session session = recorded(2, 1);
            check.verdict(Verdict.Result.PASSING, Why.NONE, TestRuns.of(session, Mode.STRICT, 0, 1, 2, 3, 4));
            TestRun longer = TestRuns.of(session, Mode.RESYNCHRONIZING, 0, 1, 2, 4);
            check.verdict(Verdict.Result.UNRESOLVED, Why.NO_ALTERNATIVE, longer);
            check.equal(true, longer.verdict().detail.startsWith("java/io/FileWriter.write: "));
            TestRun none = TestRuns.of(session, Mode.RESYNCHRONIZING, 0, 1, 4);
            check.verdict(Verdict.Result.PASSING, Why.NONE, none);
            check.equal(List.of(1, 3), none.used());
        });
        check.test("NumberWriter, strict divergence names the event", () -> {
            TestRun run = TestRuns.of(recorded(2), Mode.STRICT, 0, 1, 3);
            check.verdict(Verdict.Result.UNRESOLVED, Why.DIVERGENCE, run);
            check.contains("expected outgoing 2 (call java/io/FileWriter.write(I)V on #2", run.verdict().detail);
            check.contains("got call java/io/FileWriter.close()V on #2", run.verdict().detail);
        });
        check.test("NumberWriter, strict, fewer questions than recorded", () -> {
            SessionBuilder b = builder();
            b.construct(CLASS + ".<init>()V", Value.object(1), values());
            b.call(CLASS + ".setNumbers(I)V", Value.object(1), values(1), returned(),
                    b.out(4, "java/io/FileWriter", WRITER, values(), returned()));
            check.verdict(Verdict.Result.UNRESOLVED, Why.DIVERGENCE, TestRuns.of(b.build(), Mode.STRICT, 0, 1));
        });
        return check.tests();
    }

    /** Bit k of {@code subset} is interaction k. */
    private static void subset(Check check, int subset) throws Exception {
        int[] kept = new int[Integer.bitCount(subset)];
        for (int k = 0, n = 0; k < 4; k++) {
            if ((subset >> k & 1) != 0) {
                kept[n++] = k;
            }
        }
        TestRun run = TestRuns.of(recorded(2), Mode.RESYNCHRONIZING, kept);
        boolean constructed = (subset & 1) != 0;
        boolean writes = (subset & 8) != 0;
        if (!constructed && subset != 0) {
            check.verdict(Verdict.Result.UNRESOLVED, Why.RECEIVER_MISSING, run);
        } else if (writes && (subset & 2) == 0) {
            check.verdict(Verdict.Result.UNRESOLVED, Why.NEVER_RECORDED, run);
            check.equal(true, run.verdict().detail.startsWith("java/lang/System.err: "));
        } else {
            check.verdict(Verdict.Result.PASSING, Why.NONE, run);
            List<Integer> expected = !writes ? List.of() : (subset & 4) != 0 ? List.of(1, 2, 3, 4) : List.of(1, 4);
            check.equal(expected, run.used());
            check.equal(expected.size() == 2, run.resynchronized());
        }
    }

    static SessionBuilder builder() throws IOException {
        return new SessionBuilder().observed(CLASS)
                .bridge(0, Op.GET_STATIC, "java/lang/System.err:Ljava/io/PrintStream;", WRITE)
                .bridge(1, Op.CALL, "java/io/PrintStream.println(Ljava/lang/String;)V", WRITE)
                .bridge(2, Op.CONSTRUCT, "java/io/FileWriter.<init>(Ljava/lang/String;)V", WRITE)
                .bridge(3, Op.CALL, "java/io/FileWriter.write(I)V", WRITE)
                .bridge(4, Op.CALL, "java/io/FileWriter.close()V", WRITE)
                .object(1, CLASS, ObjectInfo.Role.OBSERVED)
                .object(2, "java/io/FileWriter", ObjectInfo.Role.MOCK);
    }

    /** Constructor, setFile, setNumbers for each of {@code numbers}, writeNumbers with the last of them. */
    private static Session recorded(int... numbers) throws IOException {
        SessionBuilder b = builder();
        b.construct(CLASS + ".<init>()V", Value.object(1), values());
        b.call(CLASS + ".setFile(Ljava/lang/String;)V", Value.object(1), values("output.txt"), returned());
        for (int n : numbers) {
            b.call(CLASS + ".setNumbers(I)V", Value.object(1), values(n), returned());
        }
        List<Outgoing> outgoing = new ArrayList<>();
        outgoing.add(b.out(2, "java/io/FileWriter", Value.NULL, values("output.txt"), returned(WRITER)));
        for (int n = 1; n <= numbers[numbers.length - 1]; n++) {
            outgoing.add(b.out(3, "java/io/FileWriter", WRITER, values(n), returned()));
        }
        outgoing.add(b.out(4, "java/io/FileWriter", WRITER, values(), returned()));
        b.call(WRITE, Value.object(1), values(), returned(), outgoing.toArray(new Outgoing[0]));
        return b.build();
    }
}
