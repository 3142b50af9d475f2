package jinsi.replay;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Writes sessions in the format of docs/replay-session.md, for tests. */
final class SessionWriter {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(bytes);

    private SessionWriter() {
    }

    /** The session as a file has it. */
    static byte[] write(Session session) throws IOException {
        SessionWriter writer = new SessionWriter();
        writer.session(session);
        return writer.bytes.toByteArray();
    }

    private interface Part<T> {
        void write(T part) throws IOException;
    }

    private <T> void list(Collection<T> items, Part<T> part) throws IOException {
        out.writeInt(items.size());
        for (T item : items) {
            part.write(item);
        }
    }

    private void session(Session s) throws IOException {
        out.writeBytes("JINSISES");
        out.writeShort(1);
        out.writeByte(s.script ? 1 : 0);
        list(s.observed, this::string);
        list(s.classes.values(), c -> {
            string(c.name);
            out.writeByte(c.environment ? 1 : c.placeholder ? 2 : 0);
            out.writeInt(c.bytes.length);
            out.write(c.bytes);
        });
        list(s.bridges.values(), b -> {
            out.writeInt(b.no);
            out.writeByte(b.op.ordinal());
            member(b.member);
            member(b.holder);
            out.writeShort(b.bci);
            out.writeShort(b.line);
            out.writeInt(b.site);
        });
        out.writeInt(s.traps.size());
        for (Map.Entry<Integer, Trap> trap : s.traps.entrySet()) {
            out.writeInt(trap.getKey());
            out.writeByte(trap.getValue().op.ordinal());
            member(trap.getValue().member);
        }
        list(s.objects.values(), this::object);
        out.writeInt(s.classInits.size());
        for (Map.Entry<String, List<Outgoing>> init : s.classInits.entrySet()) {
            string(init.getKey());
            list(init.getValue(), this::outgoing);
        }
        list(s.interactions, this::interaction);
        string(s.predicate.className);
        string(s.predicate.message);
        string(s.predicate.atClass);
        string(s.predicate.atMethod);
        out.writeInt(s.predicate.atLine);
        if (s.script) {
            list(s.setUp, this::effect);
            list(s.answers, this::outgoing);
        }
    }

    private void object(ObjectInfo o) throws IOException {
        out.writeLong(o.id);
        string(o.className);
        out.writeInt(o.length);
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
                out.writeLong(o.thrown.cause);
                out.writeShort(o.thrown.frames.size());
                for (StackTraceElement frame : o.thrown.frames) {
                    string(frame.getClassName());
                    string(frame.getMethodName());
                    string(frame.getFileName());
                    out.writeInt(frame.getLineNumber());
                }
                break;
            default:
                break;
        }
    }

    private void interaction(Interaction i) throws IOException {
        out.writeInt(i.no);
        out.writeByte(i.op.ordinal());
        member(i.member);
        string(i.targetClass);
        value(i.receiver);
        values(i.args);
        outcome(i.outcome);
        list(i.before, this::effect);
        list(i.outgoing, this::outgoing);
    }

    private void outgoing(Outgoing o) throws IOException {
        out.writeInt(o.no);
        out.writeByte(o.op.ordinal());
        member(o.member);
        string(o.targetClass);
        out.writeInt(o.site);
        out.writeShort(o.bci);
        out.writeShort(o.line);
        value(o.receiver);
        values(o.args);
        outcome(o.outcome);
        list(o.callbacks, this::interaction);
        list(o.effects, this::effect);
    }

    private void effect(Effect effect) throws IOException {
        if (effect instanceof Effect.SetContent) {
            out.writeByte(1);
            out.writeLong(((Effect.SetContent) effect).id);
            content(((Effect.SetContent) effect).content);
        } else if (effect instanceof Effect.Store) {
            Effect.Store store = (Effect.Store) effect;
            out.writeByte(2);
            out.writeLong(store.array);
            out.writeInt(store.index);
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
                out.writeLong(0);
                break;
            case FIELDS:
                out.writeInt(content.values.size());
                for (int i = 0; i < content.values.size(); i++) {
                    string(content.fields.get(i).className);
                    string(content.fields.get(i).name);
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
                out.writeLong(outcome.thrown);
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
        out.writeShort(values.size());
        for (Value value : values) {
            value(value);
        }
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
                string((String) value.payload);
                break;
            case OBJECT:
                out.writeByte('o');
                out.writeLong(value.id);
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
        string(member.owner);
        string(member.name);
        string(member.desc);
    }

    private void string(String text) throws IOException {
        out.writeInt(text == null ? -1 : text.length());
        out.writeChars(text == null ? "" : text);
    }
}
