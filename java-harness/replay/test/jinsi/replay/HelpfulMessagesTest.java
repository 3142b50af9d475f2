package jinsi.replay;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** What the JVM says of a null, where bridges stand in the program's code. */
final class HelpfulMessagesTest {
    private static final String BEGINNING = "Cannot invoke \"String.length()\" because ";

    @TestFactory
    List<DynamicTest> tests() {
        Check check = new Check();
        Member method = new Member("post/Letter", "to", "(Ljava/lang/String;[I)Ljava/lang/String;");
        Member field = new Member("post/Letter", "street", "Ljava/lang/String;");
        Map<Integer, Bridge> bridges = Map.of(1, bridge(1, Op.CALL, method), 12, bridge(12, Op.GET_FIELD, field));
        check.test("a bridge has the name of what it stands for", () -> {
            String text = BEGINNING + "the return value of \"round.Carrier.jinsi$1(post.Letter, String, int[])\" is null";
            check.equal(BEGINNING + "the return value of \"post.Letter.to(String, int[])\" is null",
                    HelpfulMessages.inWordsOfProgram(text, bridges));
            String ofField = BEGINNING + "the return value of \"round.Carrier.jinsi$12(post.Letter)\" is null";
            check.equal(BEGINNING + "the return value of \"post.Letter.street\" is null",
                    HelpfulMessages.inWordsOfProgram(ofField, bridges));
        });
        check.test("what is no bridge stays", () -> {
            String text = BEGINNING + "the return value of \"round.Carrier.jinsi$7(post.Letter)\" is null";
            check.equal(text, HelpfulMessages.inWordsOfProgram(text, bridges));
        });
        check.test("texts are the same but for the reason that a replay sees", () -> {
            String recorded = "failed: " + BEGINNING + "\"letter\" is null, sorry";
            check.equal(true, HelpfulMessages.isSame(recorded, "failed: " + BEGINNING + "\"<parameter1>\" is null, sorry"));
            check.equal(false, HelpfulMessages.isSame(recorded, "failed: " + BEGINNING + "\"<parameter1>\" is null"));
            check.equal(false, HelpfulMessages.isSame(recorded, "failed: " + BEGINNING + "\"other\" is null, sorry"));
            check.equal(false, HelpfulMessages.isSame(recorded, 7));
        });
        return check.tests();
    }

    private static Bridge bridge(int no, Op op, Member member) {
        return new Bridge(no, op, member, new Member("round/Carrier", "length", "()I"), 4, 7, 0);
    }
}
