package jinsi.replay;

import static jinsi.replay.SessionBuilder.member;
import static jinsi.replay.SessionBuilder.returned;
import static jinsi.replay.SessionBuilder.values;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** An array whose contents are recorded (Burger 2011, Section 8.5.3): what observed code computes with, in every subset. And lists likewise. */
final class ContentTest {
    private static final String CLASS = "sample/Bytes";
    private static final Value BYTES = Value.object(1);
    private static final Value ARRAY = Value.object(2);
    private static final Value FILE = Value.object(3);
    private static final Value STREAM = Value.object(4);
    private static final Value LIST = Value.object(5);

    @TestFactory
    List<DynamicTest> tests() {
        Check check = new Check();
        check.test("array replaced by another", () -> {
            SessionBuilder b = withArray();
            b.call(CLASS + ".init(BB)V", BYTES, values((byte) 7, (byte) 8), returned());
            transformAndCheck(b);
            holds(check, "8,9", b, 0, 1, 2, 3, 4);
            holds(check, "8,9", b, 0, 2, 3, 4);
            holds(check, "2,3", b, 0, 1, 3, 4);
            TestRun none = TestRuns.of(b.build(), Mode.RESYNCHRONIZING, 0, 3, 4);
            check.verdict(Verdict.Result.UNRESOLVED, Why.OTHER_EXCEPTION, none);
            check.equal("java.lang.NullPointerException", none.verdict().exception.getClass().getName());
        });
        check.test("array written by observed code", () -> {
            SessionBuilder b = withArray();
            b.call(CLASS + ".addValue(B)I", BYTES, values((byte) 7), returned(1));
            b.call(CLASS + ".addValue(B)I", BYTES, values((byte) 8), returned(2));
            transformAndCheck(b);
            holds(check, "8,9", b, 0, 1, 2, 3, 4, 5);
            holds(check, "2,3", b, 0, 1, 4, 5);
            holds(check, "8,3", b, 0, 1, 2, 4, 5);
        });
        check.test("array filled by the environment", () -> {
            SessionBuilder b = withArray();
            Outgoing open = b.out(0, "java/io/FileInputStream", Value.NULL, values(FILE), returned(STREAM));
            Outgoing read = b.out(1, "java/io/FileInputStream", STREAM, values(ARRAY), returned(2), List.of(),
                    List.of(new Effect.SetContent(2, bytes(7, 8))));
            b.call(CLASS + ".readValues(Ljava/io/File;)V", BYTES, values(FILE), returned(), open, read);
            transformAndCheck(b);
            holds(check, "8,9", b, 0, 1, 2, 3, 4);
            holds(check, "2,3", b, 0, 1, 3, 4);
        });
        check.test("array changed by the driver, before an interaction that is left out", () -> {
            SessionBuilder b = withArray();
            b.before(new Effect.Store(2, 1, Value.of(Value.Kind.PRIMITIVE, (byte) 50)));
            b.call(CLASS + ".addValue(B)I", BYTES, values((byte) 7), returned(1));
            transformAndCheck(b);
            holds(check, "2,51", b, 0, 1, 3, 4);
        });
        check.test("list from content, changed by operations of the driver", () -> list(check));
        check.test("list built by operations only", () -> builtList(check));
        check.test("list that lacks an observed object", () -> incomplete(check));
        check.test("array made by observed code that was left out", () -> madeInside(check));
        check.test("static fields hold what they held before the session", () -> statics(check));
        return check.tests();
    }

    private static void list(Check check) throws Exception {
        SessionBuilder b = bytes();
        b.natural(5, "java/util/ArrayList", new Content(Content.Kind.ELEMENTS, values(box(1), box(2)), null));
        b.before(add(LIST, 10));
        b.call(CLASS + ".total(Ljava/util/List;)I", BYTES, values(LIST), returned(13));
        b.before(add(LIST, 100));
        b.call(CLASS + ".total(Ljava/util/List;)I", BYTES, values(LIST), returned(113));
        check.verdict(Verdict.Result.PASSING, Why.NONE, TestRuns.of(b.build(), Mode.STRICT, 0, 1, 2));
        TestRun second = TestRuns.of(b.build(), Mode.STRICT, 0, 2);
        check.verdict(Verdict.Result.PASSING, Why.NONE, second);
    }

    private static void builtList(Check check) throws Exception {
        SessionBuilder b = bytes().natural(5, "java/util/LinkedList", Content.NONE)
                .natural(6, "java/util/Collections$UnmodifiableList", Content.NONE);
        Value view = Value.object(6);
        b.before(new Effect.Natural(Op.CONSTRUCT, member("java/util/LinkedList.<init>()V"), LIST, List.of(), null),
                add(LIST, 4),
                new Effect.Natural(Op.CALL_STATIC,
                        member("java/util/Collections.unmodifiableList(Ljava/util/List;)Ljava/util/List;"), Value.NULL,
                        List.of(LIST), view),
                add(LIST, 5));
        b.call(CLASS + ".total(Ljava/util/List;)I", BYTES, values(view), returned(9));
        TestRun run = TestRuns.of(b.build(), Mode.STRICT, 0, 1);
        check.verdict(Verdict.Result.PASSING, Why.NONE, run);
        check.equal(List.of(), run.notes());
    }

    private static void incomplete(Check check) throws Exception {
        SessionBuilder b = bytes().object(9, CLASS, ObjectInfo.Role.OBSERVED);
        b.natural(5, "java/util/ArrayList", new Content(Content.Kind.ELEMENTS, List.of(), null));
        b.construct(CLASS + ".<init>()V", Value.object(9), values());
        b.before(new Effect.Natural(Op.CALL, member("java/util/List.add(Ljava/lang/Object;)Z"), LIST,
                List.of(Value.object(9)), null));
        b.call(CLASS + ".equals(Ljava/lang/Object;)Z", BYTES, values(LIST), returned(false));
        check.verdict(Verdict.Result.PASSING, Why.NONE, TestRuns.of(b.build(), Mode.STRICT, 0, 1, 2));
        TestRun lacking = TestRuns.of(b.build(), Mode.RESYNCHRONIZING, 0, 2);
        check.verdict(Verdict.Result.UNRESOLVED, Why.ARGUMENT_MISSING, lacking);
    }

    private static void madeInside(Check check) throws Exception {
        SessionBuilder b = bytes().array(2, "[B", 2, Content.NONE);
        Outgoing open = b.out(0, "java/io/FileInputStream", Value.NULL, values(FILE), returned(STREAM));
        Outgoing read = b.out(1, "java/io/FileInputStream", STREAM, values(ARRAY), returned(2));
        b.call(CLASS + ".init(BB)V", BYTES, values((byte) 7, (byte) 8), returned());
        b.call(CLASS + ".readValues(Ljava/io/File;)V", BYTES, values(FILE), returned(), open, read);
        b.construct(CLASS + ".<init>()V", Value.object(9), values());
        b.object(9, CLASS, ObjectInfo.Role.OBSERVED);
        b.call(CLASS + ".setValues([B)V", Value.object(9), values(ARRAY), returned());
        b.call(CLASS + ".check()V", Value.object(9), values(), Outcome.open());
        b.failure("java.lang.IllegalStateException", "7,8", "sample.Bytes", "check");
        check.verdict(Verdict.Result.FAILING, Why.NONE, TestRuns.of(b.build(), Mode.STRICT, 0, 1, 2, 3, 4, 5));
        check.verdict(Verdict.Result.UNRESOLVED, Why.ARGUMENT_MISSING,
                TestRuns.of(b.build(), Mode.RESYNCHRONIZING, 3, 4, 5));
    }

    private static void statics(Check check) throws Exception {
        SessionBuilder b = new SessionBuilder().observed("sample/Shared").object(9, "sample/Shared", ObjectInfo.Role.OBSERVED);
        b.natural(5, "java/util/ArrayList", new Content(Content.Kind.ELEMENTS, values(box(1), box(2)), null));
        b.statics(write("sample/Shared.LIST:Ljava/util/List;", LIST), write("sample/Shared.count:I", values(7).get(0)));
        b.construct("sample/Shared.<init>()V", Value.object(9), values());
        b.call("sample/Shared.check()V", Value.object(9), values(), Outcome.open());
        b.failure("java.lang.IllegalStateException", "7 [1, 2]", "sample.Shared", "check");
        check.verdict(Verdict.Result.FAILING, Why.NONE, TestRuns.of(b.build(), Mode.STRICT, 0, 1));
    }

    private static Effect write(String field, Value value) {
        return new Effect.Natural(Op.PUT_STATIC, member(field), Value.NULL, List.of(value), null);
    }

    /** In this subset the array holds {@code expected} at the end. */
    private static void holds(Check check, String expected, SessionBuilder b, int... numbers) throws Exception {
        b.failure("java.lang.IllegalStateException", expected, "sample.Bytes", "check");
        check.verdict(Verdict.Result.FAILING, Why.NONE, TestRuns.of(b.build(), Mode.RESYNCHRONIZING, numbers));
    }

    private static void transformAndCheck(SessionBuilder b) {
        b.call(CLASS + ".transform()V", BYTES, values(), returned());
        b.call(CLASS + ".check()V", BYTES, values(), Outcome.open());
    }

    private static Effect add(Value list, int element) {
        return new Effect.Natural(Op.CALL, member("java/util/List.add(Ljava/lang/Object;)Z"), list,
                List.of(box(element)), Value.of(Value.Kind.PRIMITIVE, true));
    }

    private static Value box(int value) {
        return Value.of(Value.Kind.BOX, value);
    }

    private static Content bytes(int first, int second) {
        return new Content(Content.Kind.ARRAY, values((byte) first, (byte) second), null);
    }

    private static SessionBuilder withArray() throws IOException {
        return bytes().array(2, "[B", 2, bytes(1, 2)).call(CLASS + ".setValues([B)V", BYTES, values(ARRAY), returned());
    }

    private static SessionBuilder bytes() throws IOException {
        return new SessionBuilder().observed(CLASS)
                .bridge(0, Op.CONSTRUCT, "java/io/FileInputStream.<init>(Ljava/io/File;)V", CLASS + ".readValues()V")
                .bridge(1, Op.CALL, "java/io/FileInputStream.read([B)I", CLASS + ".readValues()V")
                .object(1, CLASS, ObjectInfo.Role.OBSERVED)
                .object(3, "java/io/File", ObjectInfo.Role.MOCK)
                .object(4, "java/io/FileInputStream", ObjectInfo.Role.MOCK)
                .construct(CLASS + ".<init>()V", BYTES, values());
    }
}
