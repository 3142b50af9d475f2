package jinsi.replay;

import static jinsi.replay.SessionBuilder.returned;
import static jinsi.replay.SessionBuilder.values;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Code of today: what a class file names, and which answer is one for what it asks. */
final class TodayTest {
    private static final String GAUGE = "sample/Gauge";
    private static final Value U = Value.object(2);

    @TestFactory
    List<DynamicTest> tests() {
        Check check = new Check();
        check.test("today: a class file names classes and supertypes", () -> {
            try (InputStream in = TodayTest.class.getResourceAsStream("/sample/Bytes.class")) {
                byte[] file = in.readAllBytes();
                ClassHeader header = new ClassHeader(file);
                check.equal(true, header.named.contains("sample/Bytes"));
                check.equal("java/lang/Object", header.supertypes.get(0));
                for (int length = 0; length < file.length / 2; length++) {
                    refuse(check, java.util.Arrays.copyOf(file, length));
                }
            }
        });
        check.test("today: the same class file is known by length and checksum", () -> {
            byte[] text = {'1', '2', '3', '4', '5', '6', '7', '8', '9'};
            Part part = new Part(Codes.PART_OBSERVED, 0, 9, 0xcbf43926);
            check.equal(true, part.isOf(text));
            text[0] = '2';
            check.equal(false, part.isOf(text));
            check.equal(false, part.isOf(new byte[8]));
        });
        check.test("today: the answer with the same arguments, however far", () -> {
            AnswerSearch.Found found = search(check, 1, 8);
            check.equal(8, found.outgoing.args.get(0).payload);
            check.equal(false, found.inSequence);
            check.equal(null, found.passedOver);
        });
        check.test("today: if there is none, the nearest", () -> {
            check.equal(7, search(check, 1, 9).outgoing.args.get(0).payload);
        });
        check.test("today: what an answer may presuppose", () -> {
            AnswerSearch.Found found = search(check, 2, 8);
            check.equal(7, found.passedOver.args.get(0).payload);
        });
        check.test("today: an answer that was passed over still is one", () -> {
            AnswerSearch.Found found = search(check, 1, 8, 7);
            check.equal(7, found.outgoing.args.get(0).payload);
            check.equal(null, found.passedOver);
        });
        check.test("today: but not if something was reported since, or the same has a later answer", () -> {
            try {
                check.equal("none", search(check, 3, 8, 7).outgoing);
            } catch (Stop e) {
                check.contains("no unused answer is left", e.getMessage());
            }
        });
        return check.tests();
    }

    private static void refuse(Check check, byte[] file) {
        try {
            check.equal("refused", new ClassHeader(file).named);
        } catch (IOException e) {
            // So it has to be.
        }
    }

    /**
     * What is found for the last of calls with these arguments, where calls with 7 and 8 were recorded; of kind 2, that with 7 has no result, and of
     * 3, that with 8.
     */
    private static AnswerSearch.Found search(Check check, int kind, int... arguments) throws IOException {
        String member = GAUGE + ".set(I)I";
        SessionBuilder b = PanelTest.panel();
        b.bridge(9, Op.CALL, member, "sample/Panel.show()I");
        Outcome first = kind == 2 ? returned() : returned(1);
        Outcome second = kind == 3 ? returned() : returned(2);
        b.script(List.of(), b.out(9, GAUGE, U, values(7), first), b.out(9, GAUGE, U, values(8), second));
        Session session = SessionReader.read(b.bytes());
        ObjectPool pool = new ObjectPool();
        Object gauge = new Object();
        check.equal(true, pool.bind(2, gauge));
        AnswerSearch search = new AnswerSearch(session, new ReplayLoader(session), pool);
        Context context = new Context("the test", session.answers);
        AnswerSearch.Found found = null;
        for (int argument : arguments) {
            Request request = new Request(Op.CALL, SessionBuilder.member(member), gauge, new Object[] {argument}, null);
            found = search.ofToday(context, request);
        }
        return found;
    }
}
