package jinsi.replay;

import java.util.IdentityHashMap;
import java.util.Map;

/**
 * The identity hash codes that one test has shown. With interactions left out, an object may be asked for one where none was
 * recorded; any number will do then, as it would have done for the program, but it must stay the same.
 */
final class HashCodes {
    private final Map<Object, Integer> shown = new IdentityHashMap<>();
    private final ObjectPool pool;
    private final ReplayLoader loader;
    private final MemberLookup lookup;

    HashCodes(ObjectPool pool, ReplayLoader loader, MemberLookup lookup) {
        this.pool = pool;
        this.loader = loader;
        this.lookup = lookup;
    }

    /** Whether hash codes of objects of this class, which are no stand-ins, are identity hash codes. */
    boolean areIdentity(Class<?> type) {
        if (!loader.isOfSession(type)) {
            return lookup.isIdentityHashed(type);
        }
        if (!loader.isCode(type)) {
            return false;
        }
        Class<?> at = type;
        while (loader.isOfSession(at)) {
            if (lookup.hashes(at)) {
                return false;
            }
            at = at.getSuperclass();
        }
        return at == Object.class || at == Enum.class || Throwable.class.isAssignableFrom(at);
    }

    /**
     * Whether the recording may not know that objects of this class have identity hash codes: it is neither of the session, nor one of
     * which that is plain.
     */
    boolean mayBeUnknown(Class<?> type) {
        return !loader.isOfSession(type) && type != Class.class && type != Object.class && !type.isArray();
    }

    /**
     * What {@code object} shows: what it has shown before, else {@code recorded}, else a number of its own, the same in each run of
     * this test.
     *
     * @param recorded the recorded answer, or {@code null}
     */
    int of(Object object, Integer recorded) {
        return shown.computeIfAbsent(object, it -> recorded != null ? recorded : own(it));
    }

    private int own(Object object) {
        if (object instanceof Class) {
            return ((Class<?>) object).getName().hashCode();
        }
        long id = pool.idOf(object);
        return id == 0 ? shown.size() + 1 : Long.hashCode(id);
    }
}
