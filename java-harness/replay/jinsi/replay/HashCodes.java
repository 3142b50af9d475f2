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

    HashCodes(ObjectPool pool) {
        this.pool = pool;
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
