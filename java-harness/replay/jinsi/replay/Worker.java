package jinsi.replay;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The warm replay worker: reads a session once, then answers "run this subset" thousands of times. Speaks a binary
 * protocol over standard input and output (java-harness/README.md); what tests print goes nowhere.
 */
public final class Worker {
    /**
     * Step budget as long as no strict replay has shown what is usual, in backward branches; the property is for a
     * single replay of a long run.
     */
    static final long DEFAULT_BUDGET = Long.getLong("jinsi.replay.budget", 50_000_000);
    /** A test may take this many times the steps of the strict replay. */
    private static final long BUDGET_FACTOR = 20;
    /** Small levels have some room too. */
    private static final long MIN_BUDGET = 1_000_000;
    private static final int NULL_STRING = -1;

    private final DataInputStream in;
    private final DataOutputStream out;
    private final PrintStream trace;
    private Session session;
    private Watch watch = Watch.NOTHING;
    private long budget = DEFAULT_BUDGET;

    Worker(InputStream in, OutputStream out, PrintStream trace) {
        this.in = new DataInputStream(new BufferedInputStream(in));
        this.out = new DataOutputStream(new BufferedOutputStream(out));
        this.trace = trace;
    }

    /**
     * Serves until asked to end or until standard input ends.
     *
     * @param args none
     * @throws IOException if standard output is gone
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        Worker worker = new Worker(System.in, System.out, System.err);
        System.setIn(InputStream.nullInputStream());
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        // Initialized now: in a test that is out of stack it would fail, and stay failed for all later ones.
        Throwables.storedMessage(new Throwable());
        worker.serve();
        // Threads that tests left behind do not keep the worker.
        Runtime.getRuntime().halt(0);
    }

    /** Serves requests until {@code Q} or the end of the input. */
    void serve() throws IOException, InterruptedException {
        out.writeByte(Codes.REPLY_HELLO);
        out.writeInt(Codes.PROTOCOL_VERSION);
        out.flush();
        for (int request = in.read(); request >= 0 && request != Codes.REQUEST_QUIT; request = in.read()) {
            switch (request) {
                case Codes.REQUEST_LOAD:
                    load(readString());
                    break;
                case Codes.REQUEST_VARY:
                    vary();
                    break;
                case Codes.REQUEST_TEST:
                    test();
                    break;
                case Codes.REQUEST_WATCH:
                    watch = new Watch(Watch.Kind.values()[in.readUnsignedByte()], in.readLong(),
                            readNullable(), readNullable(), readNumbers());
                    budget = watch.kind == Watch.Kind.STEPS ? watch.subject : budget;
                    out.writeByte(Codes.REPLY_DONE);
                    break;
                default:
                    throw new IOException("unknown request " + request);
            }
            out.flush();
        }
    }

    private void load(String path) throws IOException {
        session = null;
        watch = Watch.NOTHING;
        budget = DEFAULT_BUDGET;
        try {
            session = Session.read(Path.of(path));
            out.writeByte(Codes.REPLY_DONE);
        } catch (IOException | InvalidPathException e) {
            out.writeByte(Codes.REPLY_REFUSED);
            writeString(e instanceof SessionFormatException ? e.getMessage() : e.toString());
        }
    }

    private void vary() throws IOException {
        byte[] changes = in.readNBytes(in.readInt());
        try {
            if (session == null) {
                throw new SessionFormatException("no session is loaded");
            }
            session.vary(changes);
            out.writeByte(Codes.REPLY_DONE);
        } catch (SessionFormatException e) {
            out.writeByte(Codes.REPLY_REFUSED);
            writeString(e.getMessage());
        }
    }

    private void test() throws IOException, InterruptedException {
        Mode mode = in.readUnsignedByte() == Codes.MODE_STRICT ? Mode.STRICT : Mode.RESYNCHRONIZING;
        boolean wantTrace = in.readBoolean();
        int[] kept = readNumbers();
        if (session == null) {
            result(Verdict.unresolved(Why.HARNESS, "no session is loaded", null), false, List.of(), List.of());
            out.writeLong(0);
            out.writeInt(Driver.RAN_THROUGH);
            out.writeInt(0);
            out.writeLong(0);
            out.writeInt(0);
            writeString(null);
            return;
        }
        TestRun run = new TestRun(session, mode, kept, budget, watch);
        run.run();
        if (mode == Mode.STRICT && run.verdict().result != Verdict.Result.UNRESOLVED) {
            budget = Math.max(MIN_BUDGET, run.backEdges() * BUDGET_FACTOR);
        }
        if (mode == Mode.STRICT && run.verdict().result == Verdict.Result.FAILING && run.verdict().exception != null) {
            session.predicate.adopt(run.verdict().exception);
        }
        if (wantTrace) {
            trace(run);
        }
        result(run.verdict(), run.resynchronized(), run.notes(), run.used());
        out.writeLong(run.backEdges());
        out.writeInt(run.endedIn());
        out.writeInt(run.lines());
        out.writeLong(run.way());
        out.writeInt(run.standIns().size());
        for (Map.Entry<String, String> entry : run.standIns().entrySet()) {
            writeString(entry.getKey());
            writeString(entry.getValue());
        }
        writeString(run.watched());
    }

    private void trace(TestRun run) {
        run.notes().forEach(trace::println);
        Throwable exception = run.verdict().exception;
        if (exception != null) {
            // Not printStackTrace: the exception may be of a class whose methods only ask.
            trace.println(Throwables.describe(exception));
            for (StackTraceElement frame : exception.getStackTrace()) {
                trace.println("    at " + frame);
            }
        }
        trace.flush();
    }

    /** All of a result but its counts, which follow. */
    private void result(Verdict verdict, boolean resynchronized, List<String> notes, List<Integer> used)
            throws IOException {
        out.writeByte(Codes.REPLY_RESULT);
        out.writeByte(verdict.result.ordinal());
        out.writeByte(verdict.why.ordinal());
        writeString(verdict.detail);
        out.writeBoolean(resynchronized);
        out.writeInt(notes.size());
        for (String note : notes) {
            writeString(note);
        }
        out.writeInt(used.size());
        for (int no : used) {
            out.writeInt(no);
        }
        Throwable exception = verdict.exception;
        writeString(exception == null ? null : exception.getClass().getName());
        writeString(exception == null ? null : Throwables.storedMessage(exception));
    }

    private String readString() throws IOException {
        String text = readNullable();
        if (text == null) {
            throw new EOFException("null where a text is needed");
        }
        return text;
    }

    private int[] readNumbers() throws IOException {
        int[] numbers = new int[in.readInt()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = in.readInt();
        }
        return numbers;
    }

    private String readNullable() throws IOException {
        int length = in.readInt();
        if (length < 0) {
            return null;
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append(in.readChar());
        }
        return text.toString();
    }

    private void writeString(String text) throws IOException {
        if (text == null) {
            out.writeInt(NULL_STRING);
            return;
        }
        out.writeInt(text.length());
        out.writeChars(text);
    }
}
