package jinsi.replay;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the session format of docs/replay-session.md. */
final class SessionReader {
    private static final byte[] MAGIC = "JINSISES".getBytes(StandardCharsets.US_ASCII);
    private static final int VERSION = 1;
    private static final int NULL_STRING = -1;
    /** Lists grow as they are read; a damaged count must not reserve memory. */
    private static final int MAX_RESERVED = 1 << 12;

    private final DataInputStream in;
    private final Map<String, String> strings = new HashMap<>();
    private final Map<Member, Member> members = new HashMap<>();

    private SessionReader(byte[] bytes) {
        in = new DataInputStream(new ByteArrayInputStream(bytes));
    }

    /**
     * Decodes a whole session.
     *
     * @throws SessionFormatException if the bytes are damaged or of another version
     */
    static Session read(byte[] bytes) throws SessionFormatException {
        try {
            return new SessionReader(bytes).session();
        } catch (EOFException e) {
            throw new SessionFormatException("session ends too early");
        } catch (SessionFormatException e) {
            throw e;
        } catch (IOException | IllegalArgumentException e) {
            throw new SessionFormatException("damaged session: " + e.getMessage());
        }
    }

    private Session session() throws IOException {
        byte[] magic = new byte[MAGIC.length];
        in.readFully(magic);
        if (!Arrays.equals(magic, MAGIC)) {
            throw new SessionFormatException("not a jinsi session");
        }
        int version = in.readUnsignedShort();
        if (version != VERSION) {
            throw new SessionFormatException("session version " + version + ", this jinsi reads " + VERSION);
        }
        int kind = in.readUnsignedByte();
        if (kind > 1) {
            throw bad("session kind", kind);
        }
        boolean script = kind == 1;
        Set<String> observed = new HashSet<>(list(this::name));
        Map<String, ClassEntry> classes = new HashMap<>();
        for (ClassEntry entry : list(this::classEntry)) {
            classes.put(entry.name, entry);
        }
        Map<Integer, Bridge> bridges = new HashMap<>();
        for (Bridge bridge : list(this::bridge)) {
            bridges.put(bridge.no, bridge);
        }
        Map<Integer, Trap> traps = new HashMap<>();
        for (int n = in.readInt(); n != 0; n--) {
            traps.put(in.readInt(), new Trap(op(), member()));
        }
        Map<Long, ObjectInfo> objects = new HashMap<>();
        for (ObjectInfo info : list(this::object)) {
            objects.put(info.id, info);
        }
        Map<String, List<Outgoing>> inits = new LinkedHashMap<>();
        for (int n = in.readInt(); n != 0; n--) {
            inits.put(name(), list(this::outgoing));
        }
        List<Interaction> interactions = list(this::interaction);
        Predicate predicate = new Predicate(name(), string(), name(), name(), in.readInt());
        List<Effect> setUp = script ? list(this::effect) : List.of();
        List<Outgoing> answers = script ? list(this::outgoing) : List.of();
        return new Session(script, observed, classes, bridges, traps, objects, inits, interactions, predicate, setUp,
                answers);
    }

    private ClassEntry classEntry() throws IOException {
        String name = name();
        int kind = in.readUnsignedByte();
        if (kind > 2) {
            throw bad("class kind", kind);
        }
        int length = in.readInt();
        byte[] bytes = length < 0 ? new byte[0] : in.readNBytes(length);
        if (bytes.length != length) {
            throw new EOFException();
        }
        return new ClassEntry(name, kind == 1, kind == 2, bytes);
    }

    private Bridge bridge() throws IOException {
        return new Bridge(in.readInt(), op(), member(), member(), in.readUnsignedShort(), in.readUnsignedShort(),
                in.readInt());
    }

    private ObjectInfo object() throws IOException {
        long id = in.readLong();
        String className = name();
        int length = in.readInt();
        int code = in.readUnsignedByte();
        ObjectInfo.Role role = ObjectInfo.Role.of(code);
        if (role == null) {
            throw bad("object role", code);
        }
        Content content = Content.NONE;
        ObjectInfo.Thrown thrown = null;
        switch (role) {
            case ARRAY:
            case NATURAL:
            case RESTORED:
                content = content();
                break;
            case TEXT:
                content = new Content(Content.Kind.TEXT, List.of(), required(string()));
                break;
            case THROWABLE:
                thrown = thrown();
                break;
            default:
                break;
        }
        return new ObjectInfo(id, className, length, role, content, thrown);
    }

    private ObjectInfo.Thrown thrown() throws IOException {
        String message = string();
        String text = string();
        long cause = in.readLong();
        int count = in.readUnsignedShort();
        List<StackTraceElement> frames = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            frames.add(new StackTraceElement(name(), name(), string(), in.readInt()));
        }
        return new ObjectInfo.Thrown(message, text, cause, Collections.unmodifiableList(frames));
    }

    private Interaction interaction() throws IOException {
        return new Interaction(in.readInt(), op(), member(), name(), value(), arguments(), outcome(),
                list(this::effect), list(this::outgoing));
    }

    private Outgoing outgoing() throws IOException {
        return new Outgoing(in.readInt(), op(), member(), name(), in.readInt(), in.readUnsignedShort(),
                in.readUnsignedShort(), value(), arguments(), outcome(), list(this::interaction), list(this::effect));
    }

    private Effect effect() throws IOException {
        int code = in.readUnsignedByte();
        switch (code) {
            case 1:
                return new Effect.SetContent(in.readLong(), content());
            case 2:
                return new Effect.Store(in.readLong(), in.readInt(), value());
            case 3:
                return new Effect.Natural(op(), member(), value(), arguments(), flag() ? value() : null);
            default:
                throw bad("effect", code);
        }
    }

    private Content content() throws IOException {
        int code = in.readUnsignedByte();
        switch (code) {
            case 0:
                return Content.NONE;
            case 1:
                return new Content(Content.Kind.ARRAY, list(this::value), null);
            case 2:
                return new Content(Content.Kind.ELEMENTS, list(this::value), null);
            case 3:
                return new Content(Content.Kind.ENTRIES, list(this::value), null);
            case 4:
                return new Content(Content.Kind.TEXT, List.of(), required(string()));
            case 5:
                in.readLong();
                return new Content(Content.Kind.TOO_LARGE, List.of(), null);
            case 6:
                return fields();
            default:
                throw bad("content", code);
        }
    }

    private Content fields() throws IOException {
        List<Content.FieldName> names = new ArrayList<>();
        List<Value> values = new ArrayList<>();
        for (int n = in.readInt(); n != 0; n--) {
            names.add(new Content.FieldName(name(), name()));
            values.add(value());
        }
        return Content.ofFields(names, values);
    }

    private Outcome outcome() throws IOException {
        int code = in.readUnsignedByte();
        switch (code) {
            case 0:
                return Outcome.open();
            case 1:
                return Outcome.returned(null);
            case 2:
                return Outcome.returned(value());
            case 3:
                return Outcome.threw(in.readLong());
            default:
                throw bad("outcome", code);
        }
    }

    private Value value() throws IOException {
        int tag = in.readUnsignedByte();
        switch (tag) {
            case '0':
                return Value.NULL;
            case 's':
                return Value.of(Value.Kind.STRING, required(string()));
            case 'b':
                return Value.of(Value.Kind.BOX, primitive(in.readUnsignedByte()));
            case 'c':
                return Value.of(Value.Kind.CLASS, name());
            case 'o':
                return Value.object(in.readLong());
            default:
                return Value.of(Value.Kind.PRIMITIVE, primitive(tag));
        }
    }

    private Object primitive(int letter) throws IOException {
        switch (letter) {
            case 'Z':
                return in.readBoolean();
            case 'B':
                return in.readByte();
            case 'C':
                return in.readChar();
            case 'S':
                return in.readShort();
            case 'I':
                return in.readInt();
            case 'J':
                return in.readLong();
            case 'F':
                return in.readFloat();
            case 'D':
                return in.readDouble();
            default:
                throw bad("value", letter);
        }
    }

    private List<Value> arguments() throws IOException {
        int count = in.readUnsignedShort();
        if (count == 0) {
            return List.of();
        }
        List<Value> values = new ArrayList<>(Math.min(count, MAX_RESERVED));
        for (int i = 0; i < count; i++) {
            values.add(value());
        }
        return Collections.unmodifiableList(values);
    }

    private Op op() throws IOException {
        int code = in.readUnsignedByte();
        Op op = Op.of(code);
        if (op == null) {
            throw bad("operation", code);
        }
        return op;
    }

    private Member member() throws IOException {
        Member read = new Member(name(), name(), name());
        Member known = members.putIfAbsent(read, read);
        return known == null ? read : known;
    }

    private boolean flag() throws IOException {
        int code = in.readUnsignedByte();
        if (code > 1) {
            throw bad("flag", code);
        }
        return code == 1;
    }

    /** A string that names something: never null, and shared. */
    private String name() throws IOException {
        String read = required(string());
        String known = strings.putIfAbsent(read, read);
        return known == null ? read : known;
    }

    private String string() throws IOException {
        int length = in.readInt();
        if (length == NULL_STRING) {
            return null;
        }
        if (length < 0 || length > in.available() / 2) {
            throw new EOFException();
        }
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append(in.readChar());
        }
        return text.toString();
    }

    private static String required(String text) throws SessionFormatException {
        if (text == null) {
            throw new SessionFormatException("damaged session: null where a name or text is needed");
        }
        return text;
    }

    private interface Element<T> {
        T read() throws IOException;
    }

    private <T> List<T> list(Element<T> element) throws IOException {
        int count = in.readInt();
        if (count == 0) {
            return List.of();
        }
        // Every element takes at least a byte.
        if (count < 0 || count > in.available()) {
            throw new EOFException();
        }
        List<T> items = new ArrayList<>(Math.min(count, MAX_RESERVED));
        for (int i = 0; i < count; i++) {
            items.add(element.read());
        }
        return Collections.unmodifiableList(items);
    }

    private static SessionFormatException bad(String what, int code) {
        return new SessionFormatException("damaged session: unknown " + what + " " + code);
    }
}
