package jinsi.replay;

import java.lang.reflect.InvocationTargetException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Repeats the changes that happened outside observed code. */
final class EffectPlayer {
    private final ObjectMaker maker;
    private final ObjectPool pool;
    private final MemberLookup lookup;
    private final Notes notes;

    EffectPlayer(ObjectMaker maker, ObjectPool pool, MemberLookup lookup, Notes notes) {
        this.maker = maker;
        this.pool = pool;
        this.lookup = lookup;
        this.notes = notes;
    }

    /**
     * Repeats {@code effects} in order. What needs an object that observed code did not make in this test cannot be
     * repeated; the object that it would change is incomplete from then on.
     *
     * @throws Stop if replay cannot repeat one
     */
    void play(List<Effect> effects) {
        for (Effect effect : effects) {
            if (effect instanceof Effect.Natural) {
                operation((Effect.Natural) effect);
            } else if (effect instanceof Effect.Store) {
                store((Effect.Store) effect);
            } else {
                content((Effect.SetContent) effect);
            }
        }
    }

    /** If the replay is recorded, its recorder is informed of the static fields that {@code written} has written. */
    void tellStatics(List<Effect> written) {
        Set<String> owners = new LinkedHashSet<>();
        for (Effect effect : written) {
            if (effect instanceof Effect.Natural && ((Effect.Natural) effect).op == Op.PUT_STATIC) {
                owners.add(((Effect.Natural) effect).member.owner);
            }
        }
        for (String owner : owners) {
            RawAccess.tellStatics(lookup.named(owner));
        }
    }

    private void content(Effect.SetContent effect) {
        try {
            maker.setContent(effect.id, effect.content);
        } catch (MissingObjectException e) {
            // Nothing was made that could be wrong; whoever needs the object finds it missing.
            pool.markIncomplete(effect.id, e.getMessage());
        }
    }

    private void store(Effect.Store effect) {
        Object array;
        try {
            array = maker.object(effect.array);
        } catch (MissingObjectException e) {
            return;
        }
        try {
            ObjectMaker.store(array, effect.index, maker.resolve(effect.value));
        } catch (MissingObjectException e) {
            pool.markIncomplete(effect.array, "element " + effect.index + ": " + e.getMessage());
        }
    }

    private void operation(Effect.Natural effect) {
        try {
            Object receiver = effect.op == Op.CALL ? maker.resolve(effect.receiver) : null;
            if (effect.op == Op.CALL && (receiver == null || pool.isMock(receiver))) {
                notes.add("not repeated, because its receiver is a stand-in or null: " + effect.member);
                return;
            }
            Object[] args = new Object[effect.args.size()];
            for (int i = 0; i < args.length; i++) {
                args[i] = maker.resolve(effect.args.get(i));
            }
            if (effect.op == Op.PUT_STATIC) {
                write(effect.member, args[0]);
                return;
            }
            Object result = run(effect, receiver, args);
            bind(effect.op == Op.CONSTRUCT ? effect.receiver : effect.result, result);
        } catch (MissingObjectException e) {
            if (effect.op == Op.PUT_STATIC) {
                notes.add("not written: " + effect.member + ": " + e.getMessage());
            }
            lose(effect.receiver, e.getMessage());
            lose(effect.result, e.getMessage());
        } catch (InvocationTargetException e) {
            notes.add("repeating " + effect.member + " outside observed code threw " + e.getCause());
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            throw Stop.unresolved(Why.HARNESS, "cannot repeat " + effect.member + ": " + e);
        }
    }

    /** Writes a static field, whatever it is. An initializer that its class has runs before. */
    private void write(Member member, Object value) throws ReflectiveOperationException {
        Class<?> owner = lookup.named(member.owner);
        try {
            Class.forName(owner.getName(), true, owner.getClassLoader());
        } catch (ExceptionInInitializerError | NoClassDefFoundError e) {
            throw new InvocationTargetException(e);
        }
        try {
            RawAccess.setStaticField(owner, member.name, value);
        } catch (ClassCastException | NullPointerException e) {
            throw new IllegalArgumentException(e); // the value is of another type
        }
    }

    private Object run(Effect.Natural effect, Object receiver, Object[] args) throws ReflectiveOperationException {
        if (effect.op == Op.CONSTRUCT) {
            return lookup.constructor(effect.member).newInstance(args);
        }
        if (effect.op == Op.GET_STATIC) {
            return lookup.field(effect.member).get(null);
        }
        return lookup.call(lookup.method(effect.member), receiver, args);
    }

    private void bind(Value value, Object object) {
        if (value != null && value.kind == Value.Kind.OBJECT && object != null) {
            pool.bind(value.id, object);
        }
    }

    private void lose(Value value, String reason) {
        if (value != null && value.kind == Value.Kind.OBJECT) {
            pool.markIncomplete(value.id, reason);
        }
    }
}
