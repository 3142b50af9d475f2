package jinsi.replay;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Builds sessions by hand, for tests. A member is written as {@code "owner.name(desc)result"}, a field as
 * {@code "owner.name:desc"}. Objects in argument lists are {@link Value}s or plain Java values.
 */
final class SessionBuilder {
    private final SessionParts parts = new SessionParts();
    private List<Effect> before = List.of();
    private int outgoingNo;

    SessionBuilder observed(String internal) throws IOException {
        parts.observed.add(internal);
        return withClass(internal, false);
    }

    SessionBuilder environment(String internal) throws IOException {
        return withClass(internal, true);
    }

    private SessionBuilder withClass(String internal, boolean environment) throws IOException {
        try (InputStream in = SessionBuilder.class.getResourceAsStream("/" + internal + ".class")) {
            String name = internal.replace('/', '.');
            parts.classes.put(name, new ClassEntry(name, environment, false, in.readAllBytes()));
        }
        return this;
    }

    SessionBuilder bridge(int no, Op op, String member, String holder) {
        parts.bridges.put(no, new Bridge(no, op, member(member), member(holder), 10 * no, 0, 100 + no));
        return this;
    }

    SessionBuilder trap(int no, Op op, String member) {
        parts.traps.put(no, new Trap(op, member(member)));
        return this;
    }

    SessionBuilder object(long id, String className, ObjectInfo.Role role) {
        return object(new ObjectInfo(id, className, -1, role, Content.NONE, null, false, List.of()));
    }

    SessionBuilder array(long id, String className, int length, Content content) {
        return object(new ObjectInfo(id, className, length, ObjectInfo.Role.ARRAY, content, null, false, List.of()));
    }

    SessionBuilder natural(long id, String className, Content content) {
        return object(new ObjectInfo(id, className, -1, ObjectInfo.Role.NATURAL, content, null, false, List.of()));
    }

    SessionBuilder restored(long id, String className, Content fields) {
        return object(new ObjectInfo(id, className, -1, ObjectInfo.Role.RESTORED, fields, null, false, List.of()));
    }

    SessionBuilder text(long id, String className, String text) {
        return object(new ObjectInfo(id, className, -1, ObjectInfo.Role.TEXT,
                new Content(Content.Kind.TEXT, List.of(), text), null, false, List.of()));
    }

    SessionBuilder throwable(long id, String className, String message, long cause, StackTraceElement... frames) {
        return object(new ObjectInfo(id, className, -1, ObjectInfo.Role.THROWABLE, Content.NONE,
                new ObjectInfo.Thrown(message, message, cause, List.of(frames)), false, List.of()));
    }

    private SessionBuilder object(ObjectInfo info) {
        parts.objects.put(info.id, info);
        return this;
    }

    /** These write static fields before each test. */
    SessionBuilder statics(Effect... effects) {
        parts.statics.addAll(List.of(effects));
        return this;
    }

    /** The next interaction has these effects before it. */
    SessionBuilder before(Effect... effects) {
        before = List.of(effects);
        return this;
    }

    SessionBuilder construct(String member, Object id, List<Value> args, Outgoing... outgoing) {
        Member m = member(member);
        return add(Op.CONSTRUCT, m, Value.NULL, args,
                id instanceof Outcome ? (Outcome) id : Outcome.returned((Value) id), outgoing);
    }

    SessionBuilder call(String member, Value receiver, List<Value> args, Outcome outcome, Outgoing... outgoing) {
        return add(Op.CALL, member(member), receiver, args, outcome, outgoing);
    }

    private SessionBuilder add(Op op, Member member, Value receiver, List<Value> args, Outcome outcome,
            Outgoing... outgoing) {
        parts.interactions.add(new Interaction(parts.interactions.size(), Turn.NONE, op, member, member.owner, receiver, args, outcome, before,
                List.of(outgoing)));
        before = List.of();
        return this;
    }

    SessionBuilder classInit(String internal, Outgoing... outgoing) {
        parts.classInits.put(internal, List.of(outgoing));
        return this;
    }

    SessionBuilder failure(String className, String message, String atClass, String atMethod) {
        parts.predicate = new Predicate(className, message, 0, atClass, atMethod, 0, false, List.of());
        return this;
    }

    SessionBuilder script(List<Effect> effects, Outgoing... outgoing) {
        parts.script = true;
        parts.setUp.addAll(effects);
        parts.answers.addAll(Arrays.asList(outgoing));
        return this;
    }

    /** An outgoing interaction at bridge {@code no}, on a receiver of class {@code target}. */
    Outgoing out(int no, String target, Value receiver, List<Value> args, Outcome outcome) {
        return out(no, target, receiver, args, outcome, List.of(), List.of());
    }

    Outgoing out(int no, String target, Value receiver, List<Value> args, Outcome outcome, List<Interaction> callbacks,
            List<Effect> effects) {
        Bridge at = parts.bridges.get(no);
        return new Outgoing(++outgoingNo, Turn.NONE, at.op, at.member, target, at.site, at.bci, 0, receiver, args, outcome,
                callbacks, effects);
    }

    /** An outgoing interaction made by natural code through trap {@code no}. */
    Outgoing trapped(int no, Value receiver, List<Value> args, Outcome outcome) {
        Trap at = parts.traps.get(no);
        return new Outgoing(++outgoingNo, Turn.NONE, at.op, at.member, at.member.owner, 0, 0, 0, receiver, args, outcome,
                List.of(), List.of());
    }

    /** A call-back. */
    static Interaction callback(String member, Value receiver, List<Value> args, Outcome outcome) {
        Member m = member(member);
        return new Interaction(0, Turn.NONE, Op.CALL, m, m.owner, receiver, args, outcome, List.of(), List.of());
    }

    /** The session, written and read again. */
    Session build() throws IOException {
        return SessionReader.read(bytes());
    }

    /** The session as a file has it. */
    byte[] bytes() throws IOException {
        return SessionWriter.write(parts);
    }

    static Member member(String text) {
        int paren = text.indexOf('(');
        int colon = text.indexOf(':');
        int dot = text.lastIndexOf('.', paren >= 0 ? paren : colon);
        int end = paren >= 0 ? paren : colon;
        return new Member(text.substring(0, dot), text.substring(dot + 1, end),
                text.substring(paren >= 0 ? paren : colon + 1));
    }

    /** Values: {@link Value}s as they are, strings and boxes as primitives of their type. */
    static List<Value> values(Object... values) {
        List<Value> list = new ArrayList<>();
        for (Object value : values) {
            list.add(value == null ? Value.NULL : value instanceof Value ? (Value) value
                    : Value.of(value instanceof String ? Value.Kind.STRING : Value.Kind.PRIMITIVE, value));
        }
        return list;
    }

    static Outcome returned(Object value) {
        return Outcome.returned(values(value).get(0));
    }

    static Outcome returned() {
        return Outcome.returned(null);
    }
}
