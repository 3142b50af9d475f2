package jinsi.replay;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The worker's protocol, byte by byte. */
final class WorkerTest {
    @TestFactory
    List<DynamicTest> tests() {
        Check check = new Check();
        check.test("worker: load, test, load what is not there", () -> {
            Path file = Files.createTempFile("session", ".jinsi");
            try {
                Files.write(file, PanelTest.panel().bytes());
                protocol(check, file);
            } finally {
                Files.delete(file);
            }
        });
        return check.tests();
    }

    private static void protocol(Check check, Path file) throws Exception {
        ByteArrayOutputStream requests = new ByteArrayOutputStream();
        DataOutputStream to = new DataOutputStream(requests);
        test(to, 0);
        load(to, file.toString());
        test(to, 0, 0, 1);
        test(to, 1, 1);
        load(to, file + ".not");
        to.writeByte('Q');
        ByteArrayOutputStream answers = new ByteArrayOutputStream();
        new Worker(new ByteArrayInputStream(requests.toByteArray()), answers,
                new PrintStream(OutputStream.nullOutputStream())).serve();
        DataInputStream from = new DataInputStream(new ByteArrayInputStream(answers.toByteArray()));
        check.equal('h', (char) from.readByte());
        check.equal(Codes.PROTOCOL_VERSION, from.readInt());
        check.equal("2 9 no session is loaded false 0", result(from));
        check.equal('k', (char) from.readByte());
        check.equal("1 0  false 1", result(from));
        check.equal("2 2 receiver of interaction 1 (call sample/Panel.setGauge(Lsample/Gauge;)V on #1): "
                + "observed object #1 (sample/Panel) does not exist: what makes it was left out false 0", result(from));
        check.equal('e', (char) from.readByte());
        check.contains("NoSuchFile", string(from));
        check.equal(-1, from.read());
    }

    private static void load(DataOutputStream to, String path) throws IOException {
        to.writeByte('L');
        to.writeInt(path.length());
        to.writeChars(path);
    }

    private static void test(DataOutputStream to, int mode, int... numbers) throws IOException {
        to.writeByte('T');
        to.writeByte(mode);
        to.writeByte(1);
        to.writeInt(numbers.length);
        for (int no : numbers) {
            to.writeInt(no);
        }
    }

    /** Outcome, why, detail, whether re-synchronized, number of answers used. */
    private static String result(DataInputStream from) throws IOException {
        StringBuilder text = new StringBuilder();
        text.append(from.readByte() == 'r' ? "" : "no result ");
        text.append(from.readByte()).append(' ').append(from.readByte()).append(' ').append(string(from)).append(' ');
        text.append(from.readBoolean());
        for (int n = from.readInt(); n > 0; n--) {
            string(from);
        }
        int used = from.readInt();
        for (int n = used; n > 0; n--) {
            from.readInt();
        }
        string(from);
        string(from);
        from.readLong();
        from.readInt();
        from.readInt();
        // The way through the program.
        from.readLong();
        // No stand-ins are reported, because nobody records this.
        from.readInt();
        string(from);
        return text.append(' ').append(used).toString();
    }

    private static String string(DataInputStream from) throws IOException {
        int length = from.readInt();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append(from.readChar());
        }
        return length < 0 ? null : text.toString();
    }
}
