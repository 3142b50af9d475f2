package jinsi.replay;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the environment was given: arrays and objects of the JDK's that observed code has made, and in which the environment finds others.
 * The recording tells what they lead to when they go out for the first time, but not of iterators, nor what observed code has put there
 * later. So where the environment comes with an object of an observed class that nothing has named before, it is taken for the first one
 * of its class that can be found without identity, in what was given last; within that, in the order in which it iterates. This is for
 * strict replay, which diverges where it turns out to be another one.
 */
final class Given {
    /** So many are remembered. */
    private static final int MOST = 256;
    /** Objects looked at in one search. */
    private static final int MOST_STEPS = 1 << 20;
    /** How deep one is in another; what iterates has wrappers and views, not more. */
    private static final int DEPTH = 24;

    private final ReplayLoader loader;
    private final ObjectPool pool;
    /** The last one first. */
    private final Deque<Object> given = new ArrayDeque<>();
    private final Map<Class<?>, List<Field>> fields = new HashMap<>();
    /** What was found. */
    private final Set<Object> found = Collections.newSetFromMap(new IdentityHashMap<>());

    Given(ReplayLoader loader, ObjectPool pool) {
        this.loader = loader;
        this.pool = pool;
    }

    /** {@code object} has gone out. */
    void add(Object object) {
        if (object != given.peekFirst() && leadsOn(object)) {
            given.addFirst(object);
            if (given.size() > MOST) {
                given.removeLast();
            }
        }
    }

    /** An object of exactly the class {@code type} without identity, or {@code null}. */
    Object find(Class<?> type) {
        Search search = new Search(type);
        for (Object each : given) {
            Object first = search.in(each, 0);
            if (first != null) {
                found.add(first);
                return first;
            }
        }
        return null;
    }

    /** Whether {@code object} is what it is taken for by such a search alone. */
    boolean isTaken(Object object) {
        return found.contains(object);
    }

    private boolean leadsOn(Object object) {
        Class<?> type = object.getClass();
        return object instanceof Object[]
                || type.getClassLoader() == null && type.getName().startsWith("java.util.") && !pool.isMock(object);
    }

    /** One search. */
    private final class Search {
        private final Class<?> type;
        private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());

        Search(Class<?> type) {
            this.type = type;
        }

        /** The first one that {@code place} leads to. The environment does not see what observed objects hold. */
        Object in(Object place, int depth) {
            if (place == null || depth > DEPTH || seen.size() > MOST_STEPS) {
                return null;
            }
            if (place.getClass() == type) {
                return pool.idOf(place) == 0 ? place : null;
            }
            if (loader.isOfSession(place.getClass()) || !leadsOn(place) || !seen.add(place)) {
                return null;
            }
            for (Object each : heldBy(place)) {
                Object found = in(each, depth + 1);
                if (found != null) {
                    return found;
                }
            }
            return null;
        }
    }

    private List<Object> heldBy(Object place) {
        if (place instanceof Object[]) {
            return Arrays.asList((Object[]) place);
        }
        try {
            if (place instanceof Map.Entry) {
                List<Object> entry = new ArrayList<>();
                entry.add(((Map.Entry<?, ?>) place).getKey());
                entry.add(((Map.Entry<?, ?>) place).getValue());
                return entry;
            }
            Content.Kind kind = place instanceof Map ? Content.Kind.ENTRIES : Content.Kind.ELEMENTS;
            if (isContainer(place) && iterates(place, 0)) {
                return Recognition.held(kind, place);
            }
        } catch (RuntimeException e) {
            // A view of what was changed since does not iterate.
        }
        List<Object> held = new ArrayList<>();
        for (Field field : fields(place.getClass())) {
            held.add(RawAccess.get(field, place));
        }
        return held;
    }

    /** Whether {@code container} iterates by code of the JDK's alone: it holds what it has itself, or is a view of others that do. */
    private boolean iterates(Object container, int depth) {
        String name = container.getClass().getName();
        if (depth > DEPTH || !leadsOn(container)) {
            return false;
        }
        if (name.indexOf('$') < 0) {
            return true;
        }
        for (Field field : fields(container.getClass())) {
            Object held = RawAccess.get(field, container);
            if (isContainer(held) && !iterates(held, depth + 1)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isContainer(Object object) {
        return object instanceof Collection || object instanceof Map;
    }

    /** Instance fields that hold references. */
    private List<Field> fields(Class<?> type) {
        List<Field> known = fields.get(type);
        if (known != null) {
            return known;
        }
        List<Field> all = new ArrayList<>();
        for (Class<?> owner = type; owner != null; owner = owner.getSuperclass()) {
            for (Field field : owner.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
                    all.add(field);
                }
            }
        }
        fields.put(type, all);
        return all;
    }
}
