package jinsi.replay;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes sessions in the format of java-harness/SESSION.md, for tests. */
final class SessionWriter {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(bytes);
    private final Map<String, Integer> names;
    private final Map<List<Integer>, Integer> members;
    private final ObjectUse use;

    private SessionWriter(Map<String, Integer> names, Map<List<Integer>, Integer> members, ObjectUse use) {
        this.names = names;
        this.members = members;
        this.use = use;
    }

    private SessionWriter inner() {
        return new SessionWriter(names, members, use);
    }

    /** The session as a file has it. */
    static byte[] write(SessionParts session) throws IOException {
        SessionWriter body = new SessionWriter(new LinkedHashMap<>(), new LinkedHashMap<>(), ObjectUse.of(session));
        body.session(session);
        SessionWriter head = body.inner();
        head.out.writeBytes("JINSISES");
        head.out.writeShort(Codes.SESSION_VERSION);
        head.out.writeByte(session.script ? 1 : 0);
        head.out.writeByte(0);
        head.number(0);
        head.list(body.names.keySet(), head::string);
        head.list(body.members.keySet(), parts -> {
            for (int part : parts) {
                head.number(part);
            }
        });
        head.bytes.writeBytes(body.bytes.toByteArray());
        return head.bytes.toByteArray();
    }

    private interface Part<T> {
        void write(T part) throws IOException;
    }

    private <T> void list(Collection<T> items, Part<T> part) throws IOException {
        number(items.size());
        for (T item : items) {
            part.write(item);
        }
    }

    /** What {@code write} writes, after its length. */
    private void measured(Part<SessionWriter> write) throws IOException {
        SessionWriter inner = inner();
        write.write(inner);
        out.writeInt(inner.bytes.size());
        bytes.writeBytes(inner.bytes.toByteArray());
    }

    private void number(long number) throws IOException {
        long rest = number;
        while (Long.compareUnsigned(rest, 0x80) >= 0) {
            out.writeByte((int) (rest & 0x7f | 0x80));
            rest >>>= 7;
        }
        out.writeByte((int) rest);
    }

    private void name(String name) throws IOException {
        number(nameNo(name));
    }

    private int nameNo(String name) {
        return names.computeIfAbsent(name, n -> names.size());
    }

    private void session(SessionParts s) throws IOException {
        list(s.observed, this::name);
        list(s.classes.values(), c -> {
            name(c.name);
            out.writeByte(c.environment ? 1 : c.placeholder ? 2 : 0);
            number(c.bytes.length);
            out.write(c.bytes);
        });
        list(s.bridges.values(), b -> {
            number(b.no);
            out.writeByte(b.op.ordinal());
            member(b.member);
            member(b.holder);
            number(b.bci);
            number(b.line);
            number(b.site);
        });
        number(s.traps.size());
        for (Map.Entry<Integer, Trap> trap : s.traps.entrySet()) {
            number(trap.getKey());
            out.writeByte(trap.getValue().op.ordinal());
            member(trap.getValue().member);
        }
        list(s.objects.values(), o -> measured(w -> w.object(o)));
        number(s.classInits.size());
        for (Map.Entry<String, List<Outgoing>> init : s.classInits.entrySet()) {
            name(init.getKey());
            list(init.getValue(), this::outgoing);
        }
        list(s.statics, this::effect);
        list(s.interactions, i -> measured(w -> w.interaction(i)));
        name(s.predicate.className);
        string(s.predicate.message());
        number(s.predicate.messageOfJdk());
        name(s.predicate.atClass);
        name(s.predicate.atMethod);
        out.writeInt(s.predicate.atLine);
        out.writeBoolean(s.predicate.isAssertion());
        // Frames of all classes count.
        number(0);
        if (s.script) {
            list(s.setUp, this::effect);
            list(s.answers, this::outgoing);
            // No rules, and nothing is known of other versions of the classes.
            string("");
            number(0);
        }
    }

    private void object(ObjectInfo o) throws IOException {
        number(o.id);
        name(o.className);
        number(o.length + 1);
        out.writeBoolean(use.madeInside(o.id));
        list(use.types(o.id), this::name);
        out.writeByte(o.role.ordinal());
        switch (o.role) {
            case ARRAY:
            case NATURAL:
            case RESTORED:
                content(o.content);
                break;
            case TEXT:
                string(o.content.text);
                break;
            case THROWABLE:
                string(o.thrown.message);
                string(o.thrown.text);
                number(o.thrown.cause);
                number(o.thrown.frames.size());
                for (StackTraceElement frame : o.thrown.frames) {
                    name(frame.getClassName());
                    name(frame.getMethodName());
                    string(frame.getFileName());
                    out.writeInt(frame.getLineNumber());
                }
                break;
            default:
                break;
        }
    }

    private void interaction(Interaction i) throws IOException {
        number(i.no);
        list(i.before, this::effect);
        out.writeByte(i.op.ordinal());
        member(i.member);
        name(i.targetClass);
        value(i.receiver);
        values(i.args);
        outcome(i.outcome);
        list(i.outgoing, this::outgoing);
    }

    private void outgoing(Outgoing o) throws IOException {
        number(o.no);
        out.writeByte(o.op.ordinal());
        member(o.member);
        name(o.targetClass);
        number(o.site);
        number(o.bci);
        number(o.line);
        value(o.receiver);
        values(o.args);
        outcome(o.outcome);
        list(o.callbacks, this::interaction);
        list(o.effects, this::effect);
    }

    private void effect(Effect effect) throws IOException {
        if (effect instanceof Effect.SetContent) {
            out.writeByte(1);
            number(((Effect.SetContent) effect).id);
            content(((Effect.SetContent) effect).content);
        } else if (effect instanceof Effect.Store) {
            Effect.Store store = (Effect.Store) effect;
            out.writeByte(2);
            number(store.array);
            number(store.index);
            value(store.value);
        } else {
            Effect.Natural natural = (Effect.Natural) effect;
            out.writeByte(3);
            out.writeByte(natural.op.ordinal());
            member(natural.member);
            value(natural.receiver);
            values(natural.args);
            out.writeBoolean(natural.result != null);
            if (natural.result != null) {
                value(natural.result);
            }
        }
    }

    private void content(Content content) throws IOException {
        out.writeByte(content.kind.ordinal());
        switch (content.kind) {
            case ARRAY:
            case ELEMENTS:
            case ENTRIES:
                list(content.values, this::value);
                break;
            case TEXT:
                string(content.text);
                break;
            case TOO_LARGE:
                number(0);
                break;
            case FIELDS:
                number(content.values.size());
                for (int i = 0; i < content.values.size(); i++) {
                    name(content.fields.get(i).className);
                    name(content.fields.get(i).name);
                    value(content.values.get(i));
                }
                break;
            default:
                break;
        }
    }

    private void outcome(Outcome outcome) throws IOException {
        switch (outcome.kind) {
            case OPEN:
                out.writeByte(0);
                break;
            case THREW:
                out.writeByte(3);
                number(outcome.thrown);
                break;
            default:
                out.writeByte(outcome.value == null ? 1 : 2);
                if (outcome.value != null) {
                    value(outcome.value);
                }
                break;
        }
    }

    private void values(List<Value> values) throws IOException {
        list(values, this::value);
    }

    private void value(Value value) throws IOException {
        switch (value.kind) {
            case NULL:
                out.writeByte('0');
                break;
            case STRING:
                out.writeByte('s');
                string((String) value.payload);
                break;
            case BOX:
                out.writeByte('b');
                primitive(value.payload);
                break;
            case CLASS:
                out.writeByte('c');
                name((String) value.payload);
                break;
            case OBJECT:
                out.writeByte('o');
                number(value.id);
                break;
            default:
                primitive(value.payload);
                break;
        }
    }

    private void primitive(Object box) throws IOException {
        if (box instanceof Boolean) {
            out.writeByte('Z');
            out.writeBoolean((Boolean) box);
        } else if (box instanceof Byte) {
            out.writeByte('B');
            out.writeByte((Byte) box);
        } else if (box instanceof Character) {
            out.writeByte('C');
            out.writeChar((Character) box);
        } else if (box instanceof Short) {
            out.writeByte('S');
            out.writeShort((Short) box);
        } else if (box instanceof Integer) {
            out.writeByte('I');
            out.writeInt((Integer) box);
        } else if (box instanceof Long) {
            out.writeByte('J');
            out.writeLong((Long) box);
        } else if (box instanceof Float) {
            out.writeByte('F');
            out.writeFloat((Float) box);
        } else {
            out.writeByte('D');
            out.writeDouble((Double) box);
        }
    }

    private void member(Member member) throws IOException {
        List<Integer> parts = List.of(nameNo(member.owner), nameNo(member.name), nameNo(member.desc));
        number(members.computeIfAbsent(parts, p -> members.size()));
    }

    private void string(String text) throws IOException {
        number(text == null ? 0 : text.length() + 1);
        out.writeChars(text == null ? "" : text);
    }
}
