package jinsi.replay;

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
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reads the session format of java-harness/SESSION.md. Objects and interactions are only found, and decoded when they are asked for: a
 * session may have millions, and a test needs few.
 */
final class SessionReader {
    private static final byte[] MAGIC = "JINSISES".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] STRETCH_MAGIC = "JINSISTR".getBytes(StandardCharsets.US_ASCII);
    /** Lists grow as they are read; a damaged count must not reserve memory. */
    private static final int MAX_RESERVED = 1 << 12;

    private final byte[] bytes;
    private int at;
    private String[] names;
    private Member[] members;
    /** Whether there are several threads, so that each has its turns. */
    private boolean threaded;

    private SessionReader(byte[] bytes) {
        this.bytes = bytes;
    }

    /** A reader of the same session that stands elsewhere. */
    private SessionReader at(int place) {
        SessionReader reader = new SessionReader(bytes);
        reader.names = names;
        reader.members = members;
        reader.threaded = threaded;
        reader.at = place;
        return reader;
    }

    /**
     * Decodes a session, but for its objects and interactions.
     *
     * @throws SessionFormatException if the bytes are damaged or of another version
     */
    static Session read(byte[] bytes) throws SessionFormatException {
        return read(bytes, SessionReader::session);
    }

    /**
     * Finds the interactions of a stretch.
     *
     * @throws SessionFormatException if the bytes are damaged
     */
    static InteractionTable readStretch(byte[] bytes) throws SessionFormatException {
        return read(bytes, SessionReader::stretch);
    }

    /** What is read of a file. */
    private interface Whole<T> {
        T of(SessionReader reader) throws IOException;
    }

    private static <T> T read(byte[] bytes, Whole<T> whole) throws SessionFormatException {
        try {
            return whole.of(new SessionReader(bytes));
        } catch (EOFException | ArrayIndexOutOfBoundsException e) {
            throw new SessionFormatException("session ends too early");
        } catch (SessionFormatException e) {
            throw e;
        } catch (IOException | IllegalArgumentException e) {
            throw new SessionFormatException("damaged session: " + e.getMessage());
        }
    }

    /**
     * Changes arguments and contents of a session; the bytes are described with the worker's protocol.
     *
     * @throws SessionFormatException if the changes are damaged, or change what the session does not have
     */
    static void vary(byte[] changes, Session session) throws SessionFormatException {
        try {
            SessionReader reader = new SessionReader(changes);
            for (int n = reader.count(); n != 0; n--) {
                int code = reader.octet();
                if (code == Codes.CHANGE_ARGUMENT) {
                    session.interactions.change(reader.number(), reader.number(), reader.value());
                } else {
                    session.objects.change(reader.big(), reader.content());
                }
            }
        } catch (SessionFormatException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            throw new SessionFormatException("damaged changes: " + e);
        }
    }

    /** The object that begins at {@code place}. */
    ObjectInfo objectAt(int place) throws IOException {
        return at(place).object();
    }

    /** The driven interaction that begins at {@code place}. */
    Interaction interactionAt(int place) throws IOException {
        return at(place).interaction();
    }

    /** What changed outside before the interaction that begins at {@code place}. */
    List<Effect> effectsAt(int place) throws IOException {
        SessionReader reader = at(place);
        reader.number();
        return reader.list(reader::effect);
    }

    private Session session() throws IOException {
        begin(MAGIC);
        int version = octet() << 8 | octet();
        if (version != Codes.SESSION_VERSION) {
            throw new SessionFormatException("session version " + version + ", this jinsi reads " + Codes.SESSION_VERSION);
        }
        int kind = octet();
        if (kind > Codes.SESSION_STRETCHES) {
            throw bad("session kind", kind);
        }
        boolean script = kind == Codes.SESSION_SCRIPT;
        threaded = flag();
        long salt = big();
        List<String> stretches = kind == Codes.SESSION_STRETCHES ? list(() -> required(string())) : List.of();
        boolean direct = kind == Codes.SESSION_DIRECT;
        Libraries libraries = direct ? new Libraries(list(() -> required(string()))) : null;
        List<Setting> surroundings = direct ? list(this::setting) : List.of();
        tables();
        Set<String> observed = new HashSet<>(list(this::name));
        Map<String, ClassEntry> classes = table(script);
        for (ClassEntry entry : list(this::classEntry)) {
            classes.put(entry.name, entry);
        }
        Map<Integer, Bridge> bridges = table(script);
        for (Bridge bridge : list(this::bridge)) {
            bridges.put(bridge.no, bridge);
        }
        Map<Integer, Trap> traps = table(script);
        for (int n = count(); n != 0; n--) {
            traps.put(number(), new Trap(op(), member()));
        }
        ObjectTable objects = objects();
        Map<String, List<Outgoing>> inits = new LinkedHashMap<>();
        for (int n = count(); n != 0; n--) {
            inits.put(name(), list(this::outgoing));
        }
        List<Effect> statics = list(this::effect);
        InteractionTable interactions = interactions();
        Map<Integer, Meetings> meetings = new HashMap<>();
        for (int n = threaded ? count() : 0; n != 0; n--) {
            meetings.put(number(), meetings());
        }
        Predicate predicate = new Predicate(name(), string(), number(), name(), name(), fixed(), flag(),
                list(this::name));
        List<Effect> setUp = script ? list(this::effect) : List.of();
        List<Outgoing> answers = script ? list(this::outgoing) : List.of();
        String rules = script ? required(string()) : "";
        Map<String, Part> parts = new HashMap<>();
        for (int n = script ? count() : 0; n != 0; n--) {
            parts.put(name(), part());
        }
        return new Session(script, libraries, surroundings, salt, observed, classes, bridges, traps, objects, inits, statics, interactions, stretches, meetings, predicate,
                setUp, answers, rules, parts);
    }

    private InteractionTable stretch() throws IOException {
        begin(STRETCH_MAGIC);
        tables();
        return interactions();
    }

    private void begin(byte[] magic) throws SessionFormatException {
        if (bytes.length < magic.length || !Arrays.equals(magic, Arrays.copyOf(bytes, magic.length))) {
            throw new SessionFormatException("not a jinsi session");
        }
        at = magic.length;
    }

    /** The tables of names and members. */
    private void tables() throws IOException {
        names = list(() -> required(string())).toArray(new String[0]);
        members = list(() -> new Member(name(), name(), name())).toArray(new Member[0]);
    }

    /** What a written test adds to as it loads classes. */
    private static <K, V> Map<K, V> table(boolean script) {
        return script ? new ConcurrentHashMap<>() : new HashMap<>();
    }

    private Part part() throws IOException {
        int role = octet();
        if (role > Codes.PART_ENVIRONMENT) {
            throw bad("part of a class", role);
        }
        return new Part(role, octet(), number(), fixed());
    }

    private Setting setting() throws IOException {
        int code = octet();
        if (code >= Setting.Kind.values().length) {
            throw bad("kind of setting", code);
        }
        Setting.Kind kind = Setting.Kind.values()[code];
        String what = required(string());
        return new Setting(kind, what, kind == Setting.Kind.PROPERTY ? required(string()) : null);
    }

    private ObjectTable objects() throws IOException {
        int count = count();
        long[] ids = new long[count];
        int[] places = new int[count];
        for (int i = 0; i < count; i++) {
            int end = end();
            places[i] = at;
            ids[i] = big();
            if (i > 0 && Long.compareUnsigned(ids[i - 1], ids[i]) >= 0) {
                throw new SessionFormatException("damaged session: objects are not in order");
            }
            at = end;
        }
        return new ObjectTable(this, ids, places);
    }

    private InteractionTable interactions() throws IOException {
        int count = count();
        int[] numbers = new int[count];
        int[] places = new int[count];
        int[] withEffects = new int[count];
        int[] threads = threaded ? new int[count] : null;
        int effects = 0;
        for (int i = 0; i < count; i++) {
            int end = end();
            places[i] = at;
            numbers[i] = number();
            int changes = count();
            if (changes > 0) {
                withEffects[effects++] = i;
            }
            if (threaded) {
                for (int k = 0; k < changes; k++) {
                    effect();
                }
                threads[i] = number();
            }
            at = end;
        }
        return new InteractionTable(this, numbers, places, Arrays.copyOf(withEffects, effects), threads);
    }

    /** Where that ends whose length comes next. */
    private int end() throws IOException {
        int length = fixed();
        if (length < 0 || length > bytes.length - at) {
            throw new EOFException();
        }
        return at + length;
    }

    private ClassEntry classEntry() throws IOException {
        String name = name();
        int kind = octet();
        if (kind > Codes.CLASS_PLACEHOLDER) {
            throw bad("class kind", kind);
        }
        int length = count();
        at += length;
        return new ClassEntry(name, kind == Codes.CLASS_ENVIRONMENT, kind == Codes.CLASS_PLACEHOLDER,
                Arrays.copyOfRange(bytes, at - length, at));
    }

    private Bridge bridge() throws IOException {
        return new Bridge(number(), op(), member(), member(), number(), number(), number());
    }

    private ObjectInfo object() throws IOException {
        long id = big();
        String className = name();
        int length = number() - 1;
        boolean madeInside = flag();
        List<String> types = list(this::name);
        int code = octet();
        ObjectInfo.Role role = ObjectInfo.Role.of(code);
        if (role == null) {
            throw bad("object role", code);
        }
        Content content = Content.NONE;
        ObjectInfo.Thrown thrown = null;
        ObjectInfo.Function function = null;
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
            case FUNCTION:
                function = new ObjectInfo.Function(name(), name(), name(), name(), name(), octet(), member());
                content = content();
                break;
            default:
                break;
        }
        return new ObjectInfo(id, className, length, role, content, thrown, function, madeInside,
                types);
    }

    private ObjectInfo.Thrown thrown() throws IOException {
        String message = string();
        String text = string();
        long cause = big();
        int count = count();
        List<StackTraceElement> frames = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            frames.add(new StackTraceElement(name(), name(), string(), fixed()));
        }
        return new ObjectInfo.Thrown(message, text, cause, Collections.unmodifiableList(frames));
    }

    private Interaction interaction() throws IOException {
        int no = number();
        List<Effect> before = list(this::effect);
        if (threaded) {
            number();
        }
        return new Interaction(no, turn(), op(), member(), name(), value(), list(this::value), outcome(), before,
                list(this::outgoing));
    }

    private Outgoing outgoing() throws IOException {
        return new Outgoing(number(), turn(), op(), member(), name(), number(), number(), number(), value(),
                list(this::value), outcome(), list(this::interaction), list(this::effect));
    }

    private Turn turn() throws IOException {
        if (!threaded) {
            return Turn.NONE;
        }
        long first = big();
        int count = count();
        int[] entries = new int[count];
        long[] turns = new long[count];
        for (int i = 0; i < count; i++) {
            entries[i] = number();
            turns[i] = big();
        }
        return new Turn(first, entries, turns);
    }

    private Meetings meetings() throws IOException {
        int count = count();
        int[] numbers = new int[Math.min(count, bytes.length - at)];
        long[] turns = new long[numbers.length];
        for (int i = 0; i < count; i++) {
            numbers[i] = number();
            turns[i] = big();
        }
        return new Meetings(numbers, turns);
    }

    private Effect effect() throws IOException {
        int code = octet();
        switch (code) {
            case Codes.EFFECT_CONTENT:
                return new Effect.SetContent(big(), content());
            case Codes.EFFECT_STORE:
                return new Effect.Store(big(), number(), value());
            case Codes.EFFECT_NATURAL:
                return new Effect.Natural(op(), member(), value(), list(this::value), flag() ? value() : null);
            default:
                throw bad("effect", code);
        }
    }

    private Content content() throws IOException {
        int code = octet();
        switch (code) {
            case Codes.CONTENT_NONE:
                return Content.NONE;
            case Codes.CONTENT_ARRAY:
                return new Content(Content.Kind.ARRAY, list(this::value), null);
            case Codes.CONTENT_ELEMENTS:
                return new Content(Content.Kind.ELEMENTS, list(this::value), null);
            case Codes.CONTENT_ENTRIES:
                return new Content(Content.Kind.ENTRIES, list(this::value), null);
            case Codes.CONTENT_TEXT:
                return new Content(Content.Kind.TEXT, List.of(), required(string()));
            case Codes.CONTENT_TOO_LARGE:
                big();
                return new Content(Content.Kind.TOO_LARGE, List.of(), null);
            case Codes.CONTENT_FIELDS:
                return fields();
            default:
                throw bad("content", code);
        }
    }

    private Content fields() throws IOException {
        List<Content.FieldName> fields = new ArrayList<>();
        List<Value> values = new ArrayList<>();
        for (int n = count(); n != 0; n--) {
            fields.add(new Content.FieldName(name(), name()));
            values.add(value());
        }
        return Content.ofFields(fields, values);
    }

    private Outcome outcome() throws IOException {
        int code = octet();
        switch (code) {
            case Codes.OUTCOME_OPEN:
                return Outcome.open();
            case Codes.OUTCOME_NOTHING:
                return Outcome.returned(null);
            case Codes.OUTCOME_VALUE:
                return Outcome.returned(value());
            case Codes.OUTCOME_THREW:
                return Outcome.threw(big());
            default:
                throw bad("outcome", code);
        }
    }

    private Value value() throws IOException {
        int tag = octet();
        switch (tag) {
            case Codes.VALUE_NULL:
                return Value.NULL;
            case Codes.VALUE_STRING:
                return Value.of(Value.Kind.STRING, required(string()));
            case Codes.VALUE_BOX:
                return Value.of(Value.Kind.BOX, primitive(octet()));
            case Codes.VALUE_CLASS:
                return Value.of(Value.Kind.CLASS, name());
            case Codes.VALUE_OBJECT:
                return Value.object(big());
            default:
                return Value.of(Value.Kind.PRIMITIVE, primitive(tag));
        }
    }

    private Object primitive(int letter) throws IOException {
        switch (letter) {
            case 'Z':
                return flag();
            case 'B':
                return bytes[at++];
            case 'C':
                return unit();
            case 'S':
                return (short) unit();
            case 'I':
                return fixed();
            case 'J':
                return (long) fixed() << 32 | fixed() & 0xffffffffL;
            case 'F':
                return Float.intBitsToFloat(fixed());
            case 'D':
                return Double.longBitsToDouble((long) fixed() << 32 | fixed() & 0xffffffffL);
            default:
                throw bad("value", letter);
        }
    }

    private Op op() throws IOException {
        int code = octet();
        Op op = Op.of(code);
        if (op == null) {
            throw bad("operation", code);
        }
        return op;
    }

    private Member member() throws IOException {
        return members[number()];
    }

    private boolean flag() throws IOException {
        int code = octet();
        if (code > 1) {
            throw bad("flag", code);
        }
        return code == 1;
    }

    private String name() throws IOException {
        return names[number()];
    }

    /** {@code null} or the text. */
    private String string() throws IOException {
        int length = number() - 1;
        if (length < 0) {
            return null;
        }
        if (length > (bytes.length - at) / 2) {
            throw new EOFException();
        }
        char[] units = new char[length];
        for (int i = 0; i < length; i++) {
            units[i] = unit();
        }
        return new String(units);
    }

    private int octet() {
        return bytes[at++] & 0xff;
    }

    private char unit() {
        return (char) (octet() << 8 | octet());
    }

    /** Four bytes. */
    private int fixed() {
        return octet() << 24 | octet() << 16 | octet() << 8 | octet();
    }

    /** A number of seven bits a byte. */
    private long big() throws IOException {
        long number = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            int octet = octet();
            number |= (long) (octet & 0x7f) << shift;
            if (octet < 0x80) {
                return number;
            }
        }
        throw new SessionFormatException("damaged session: a number without end");
    }

    /** A number that an {@code int} can hold. */
    private int number() throws IOException {
        long number = big();
        if (number < 0 || number > 0xffffffffL) {
            throw new SessionFormatException("damaged session: a number is too large");
        }
        return (int) number;
    }

    /** How many follow; each takes a byte at least. */
    private int count() throws IOException {
        int count = number();
        if (count < 0 || count > bytes.length - at) {
            throw new EOFException();
        }
        return count;
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
        int count = count();
        if (count == 0) {
            return List.of();
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
