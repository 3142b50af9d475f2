package jinsi.replay;

import java.util.List;

/**
 * Ties recorded identities to the objects of this run where both meet: arguments that went out, results that came back.
 * What differs from the recording is noted; strict replay makes a divergence of it where it can be known for sure.
 */
final class Binder {
    /** What differs between arguments, in words. */
    static final class Differences {
        /** Of the last one that is no object; {@code null} if there is none. */
        final String ofValues;
        /** Of the last one; {@code null} if there is none. */
        final String any;

        private Differences(String ofValues, String any) {
            this.ofValues = ofValues;
            this.any = any;
        }
    }

    private final Session session;
    private final ObjectPool pool;
    private final Recognition recognition;
    private final Given given;
    private final Notes notes;

    Binder(Session session, ObjectPool pool, Recognition recognition, Given given, Notes notes) {
        this.recognition = recognition;
        this.session = session;
        this.pool = pool;
        this.given = given;
        this.notes = notes;
    }

    /**
     * Ties the recorded arguments of {@code what} to the actual ones.
     *
     * @return what differs
     */
    Differences arguments(Object what, List<Value> recorded, Object[] actual) {
        String differs = null;
        String difference = null;
        int count = Math.min(recorded.size(), actual.length);
        for (int i = 0; i < count; i++) {
            if (value(recorded.get(i), actual[i])) {
                continue;
            }
            difference = "argument " + i + " of " + what + " was " + recorded.get(i) + ", is " + show(actual[i]);
            if (notes.hasRoom()) {
                notes.add(difference);
            }
            // Of an object, another one with the same state may be as good; of a value, none.
            if (recorded.get(i).kind != Value.Kind.OBJECT || actual[i] == null) {
                differs = difference;
            }
        }
        return new Differences(differs, difference);
    }

    /**
     * Ties {@code recorded} to {@code actual}.
     *
     * @return whether they are the same, as far as is known
     */
    boolean value(Value recorded, Object actual) {
        switch (recorded.kind) {
            case NULL:
                return actual == null;
            case OBJECT:
                return actual == null ? nothing(recorded.id) : object(recorded.id, actual);
            case CLASS:
                return actual instanceof Class
                        && ((Class<?>) actual).getName().replace('.', '/').equals(recorded.payload);
            default:
                boolean same = recorded.payload.equals(actual) || HelpfulMessages.isSame(recorded.payload, actual);
                if (same && actual instanceof String) {
                    pool.crossed((String) actual);
                }
                return same;
        }
    }

    /** There is {@code null}, which may be what is to be handed on. */
    private boolean nothing(long id) {
        ObjectInfo info = session.objects.get(id);
        if (info == null || info.role != ObjectInfo.Role.GIVEN) {
            return false;
        }
        pool.bindNull(id);
        return true;
    }

    private boolean object(long id, Object actual) {
        given.add(actual);
        Object known = pool.get(id);
        if (known == actual) {
            return true;
        }
        ObjectInfo info = session.objects.get(id);
        if (known == null && pool.idOf(actual) == 0) {
            boolean bound = info == null || mayBe(info, actual) && pool.bind(id, actual);
            if (bound && info != null && info.isLambda()) {
                captured(info, actual);
            } else if (bound && info != null && info.content.isKnown()) {
                recognition.members(info.content, actual);
            }
            return bound;
        }
        if (given.isTaken(actual) || given.isTaken(known)) {
            throw Stop.unresolved(Why.DIVERGENCE, "divergence: where " + (info == null ? "#" + id : info) + " was, there is "
                    + show(actual) + "; one of them was taken for another object");
        }
        // Values may be copied: an equal one is as good.
        return known != null && info != null && info.role == ObjectInfo.Role.TEXT && known.equals(actual);
    }

    /** What a lambda has captured never crosses by itself, but comes back with the call of its body. */
    private void captured(ObjectInfo info, Object lambda) {
        List<Object> captured = Recognition.captured(lambda);
        for (int i = 0; i < Math.min(captured.size(), info.content.values.size()); i++) {
            value(info.content.values.get(i), captured.get(i));
        }
    }

    private static boolean mayBe(ObjectInfo info, Object actual) {
        String name = actual.getClass().getName();
        return name.replace('.', '/').equals(info.className)
                || info.role == ObjectInfo.Role.HIDDEN || info.role == ObjectInfo.Role.GIVEN
                || info.role == ObjectInfo.Role.NATURAL && name.startsWith("java.") || name.contains("$$Lambda");
    }

    private String show(Object actual) {
        if (actual == null || actual instanceof Number || actual instanceof Boolean || actual instanceof Character) {
            return String.valueOf(actual);
        }
        if (actual instanceof String) {
            return '"' + (String) actual + '"';
        }
        long id = pool.idOf(actual);
        return (id == 0 ? "a new " : "#" + id + ", a ") + actual.getClass().getName();
    }
}
