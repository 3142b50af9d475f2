package jinsi.replay;

import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * As the analysis finds it when it writes a session, for tests: how a session's interactions use its objects: the types an object must have to stand where it stands, and on which
 * side it was made. Both are read off the places where its identity occurs.
 */
final class ObjectUse {
    private final Map<Long, Set<String>> types = new HashMap<>();
    /** By identity: true if the first occurrence goes out of observed code. */
    private final Map<Long, Boolean> firstGoesOut = new HashMap<>();

    private ObjectUse() {
    }

    /** Reads the parts of a session through, in recorded order. */
    static ObjectUse of(SessionParts session) {
        ObjectUse use = new ObjectUse();
        use.effects(session.setUp);
        session.classInits.values().forEach(use::outgoings);
        use.effects(session.statics);
        session.interactions.forEach(use::incoming);
        use.outgoings(session.answers);
        return use;
    }

    /** Internal names or array descriptors of the types that places ask of {@code id}. */
    Set<String> types(long id) {
        return types.getOrDefault(id, Collections.emptySet());
    }

    /**
     * Whether observed code made the object itself: it is seen going out before it is seen coming in. Such an object,
     * if its content is not known, cannot be made by replay.
     */
    boolean madeInside(long id) {
        return firstGoesOut.getOrDefault(id, false);
    }

    private void incoming(Interaction i) {
        effects(i.before);
        note(i.receiver, "L" + i.member.owner + ";", false);
        arguments(i.op, i.member, i.args, false);
        outgoings(i.outgoing);
        result(i.op, i.member, i.outcome, true);
    }

    private void outgoings(List<Outgoing> outgoing) {
        for (Outgoing o : outgoing) {
            note(o.receiver, "L" + o.member.owner + ";", true);
            arguments(o.op, o.member, o.args, true);
            o.callbacks.forEach(this::incoming);
            effects(o.effects);
            result(o.op, o.member, o.outcome, false);
        }
    }

    private void arguments(Op op, Member member, List<Value> args, boolean goesOut) {
        boolean write = op == Op.PUT_FIELD || op == Op.PUT_STATIC;
        for (int k = 0; k < args.size(); k++) {
            String type = write ? member.desc : k < member.parameters.size() ? member.parameters.get(k) : null;
            note(args.get(k), type, goesOut);
        }
    }

    private void result(Op op, Member member, Outcome outcome, boolean goesOut) {
        if (outcome.value != null) {
            note(outcome.value, op == Op.CONSTRUCT ? "L" + member.owner + ";" : member.result, goesOut);
        }
        if (outcome.thrown != 0) {
            note(Value.object(outcome.thrown), null, goesOut);
        }
    }

    private void effects(List<Effect> effects) {
        for (Effect effect : effects) {
            if (effect instanceof Effect.SetContent) {
                ((Effect.SetContent) effect).content.values.forEach(v -> note(v, null, false));
            } else if (effect instanceof Effect.Store) {
                note(((Effect.Store) effect).value, null, false);
            } else {
                Effect.Natural natural = (Effect.Natural) effect;
                note(natural.receiver, null, false);
                arguments(natural.op, natural.member, natural.args, false);
                if (natural.result != null) {
                    note(natural.result, natural.member.result, false);
                }
            }
        }
    }

    private void note(Value value, String type, boolean goesOut) {
        if (value.kind != Value.Kind.OBJECT) {
            return;
        }
        firstGoesOut.putIfAbsent(value.id, goesOut);
        if (type != null && type.startsWith("L") && !type.equals("Ljava/lang/Object;")) {
            types.computeIfAbsent(value.id, id -> new LinkedHashSet<>()).add(type.substring(1, type.length() - 1));
        }
    }
}
