package jinsi.replay;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.Charset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Makes JDK collections and maps from their recorded content: of the same class where that is possible from outside,
 * else of an equivalent one. Unmodifiable ones keep the recorded iteration order, whatever the salt of this JVM.
 */
final class NaturalObjects {
    private NaturalObjects() {
    }

    /**
     * An empty object to be filled by {@link #refill}.
     *
     * @param type the class, {@code null} if it does not exist here
     * @return {@code null} if objects of this class cannot be changed after they were made: see {@link #fixed}
     */
    static Object empty(String className, Class<?> type, Content.Kind kind) {
        if (isFixed(className)) {
            return null;
        }
        if (type != null && Modifier.isPublic(type.getModifiers()) && !Modifier.isAbstract(type.getModifiers())) {
            try {
                return type.getConstructor().newInstance();
            } catch (ReflectiveOperationException e) {
                // No such constructor: an equivalent takes its place below.
            }
        }
        Class<?> wanted = type != null ? type : kind == Content.Kind.ENTRIES ? Map.class : List.class;
        if (Map.class.isAssignableFrom(wanted)) {
            return SortedMap.class.isAssignableFrom(wanted) ? new TreeMap<>() : new LinkedHashMap<>();
        }
        if (Set.class.isAssignableFrom(wanted)) {
            return SortedSet.class.isAssignableFrom(wanted) ? new TreeSet<>() : new LinkedHashSet<>();
        }
        if (List.class.isAssignableFrom(wanted)) {
            return new ArrayList<>();
        }
        if (Deque.class.isAssignableFrom(wanted)) {
            return new ArrayDeque<>();
        }
        return Queue.class.isAssignableFrom(wanted) ? new LinkedList<>() : new ArrayList<>();
    }

    /** The only object of its class, if the class is such a one: a charset. Else {@code null}. */
    static Object single(Class<?> type) {
        if (type == null || !Charset.class.isAssignableFrom(type)) {
            return null;
        }
        for (Charset charset : Charset.availableCharsets().values()) {
            if (charset.getClass() == type) {
                return charset;
            }
        }
        return null;
    }

    private static boolean isFixed(String className) {
        return className.startsWith("java/util/ImmutableCollections") || className.startsWith("java/util/Collections$")
                || className.equals("java/util/Arrays$ArrayList") || className.equals("java/util/Optional")
                || className.equals("java/util/EnumMap") || className.endsWith("EnumSet");
    }

    /**
     * The object of this very class that the JDK makes of {@code values}, if it is one of those that cannot be changed and if it iterates in
     * the recorded order; else {@code null}.
     */
    private static Object exact(String className, Content.Kind kind, List<Object> values) {
        if (values.contains(null)) {
            return null;
        }
        Object[] all = values.toArray();
        List<Object> made = new ArrayList<>();
        if (kind == Content.Kind.ENTRIES) {
            Map<Object, Object> map = new LinkedHashMap<>();
            for (int i = 0; i + 1 < all.length; i += 2) {
                map.put(all[i], all[i + 1]);
            }
            made.add(Map.copyOf(map));
            made.add(Collections.emptyMap());
            map.forEach((key, value) -> made.add(Collections.singletonMap(key, value)));
        } else {
            made.addAll(List.of(List.of(all), Set.copyOf(values), Collections.emptyList(), Collections.emptySet()));
            for (Object value : all) {
                made.addAll(List.of(Collections.singletonList(value), Collections.singleton(value)));
            }
        }
        for (Object candidate : made) {
            if (candidate.getClass().getName().replace('.', '/').equals(className)
                    && isSame(Recognition.held(kind, candidate), values)) {
                return candidate;
            }
        }
        return null;
    }

    private static boolean isSame(List<Object> one, List<Object> other) {
        boolean same = one.size() == other.size();
        for (int i = 0; same && i < one.size(); i++) {
            Object first = one.get(i);
            Object second = other.get(i);
            same = first == second || hasNoIdentity(first) && first.equals(second);
        }
        return same;
    }

    /** Whether the recording has no identity of it: a text, or a box of a primitive. */
    private static boolean hasNoIdentity(Object object) {
        return object instanceof String || object instanceof Boolean || object instanceof Character
                || object instanceof Number && object.getClass().getName().startsWith("java.lang.");
    }

    /** An object of a class that {@link #empty} cannot make, with its content, in order. */
    static Object fixed(String className, Content.Kind kind, List<Object> values) {
        Object exact = className.startsWith("java/util/ImmutableCollections")
                || className.startsWith("java/util/Collections$") ? exact(className, kind, values) : null;
        return exact != null ? exact : equivalent(className, kind, values);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static Object equivalent(String className, Content.Kind kind, List<Object> values) {
        if (className.equals("java/util/Arrays$ArrayList")) {
            return Arrays.asList(values.toArray());
        }
        if (className.equals("java/util/Optional")) {
            return values.isEmpty() ? Optional.empty() : Optional.ofNullable(values.get(0));
        }
        if (kind == Content.Kind.ENTRIES) {
            Map<Object, Object> map = new LinkedHashMap<>();
            for (int i = 0; i + 1 < values.size(); i += 2) {
                map.put(values.get(i), values.get(i + 1));
            }
            if (className.equals("java/util/EnumMap") && !map.isEmpty()) {
                return new EnumMap(map);
            }
            Map<Object, Object> ordered = map;
            if (isSorted(className)) {
                ordered = new TreeMap<>(sorted(new ArrayList<>(map.keySet())).comparator());
                ordered.putAll(map);
            }
            if (className.contains("Checked")) {
                return ordered;
            }
            if (isSorted(className)) {
                return className.contains("Synchronized") ? Collections.synchronizedNavigableMap((TreeMap) ordered)
                        : Collections.unmodifiableNavigableMap((TreeMap) ordered);
            }
            return className.contains("Synchronized") ? Collections.synchronizedMap(map) : Collections.unmodifiableMap(map);
        }
        if (className.endsWith("EnumSet") && !values.isEmpty()) {
            return EnumSet.copyOf((Collection) values);
        }
        boolean isSynchronized = className.contains("Synchronized");
        if (className.contains("Checked") || className.endsWith("SetFromMap")) {
            return isSorted(className) ? sorted(values)
                    : className.contains("Set") ? new LinkedHashSet<>(values) : new ArrayList<>(values);
        }
        if (isSorted(className)) {
            TreeSet<Object> sorted = sorted(values);
            return isSynchronized ? Collections.synchronizedNavigableSet(sorted)
                    : Collections.unmodifiableNavigableSet(sorted);
        }
        if (className.contains("Set")) {
            Set<Object> set = new LinkedHashSet<>(values);
            return isSynchronized ? Collections.synchronizedSet(set) : Collections.unmodifiableSet(set);
        }
        List<Object> list = new ArrayList<>(values);
        return isSynchronized ? Collections.synchronizedList(list) : Collections.unmodifiableList(list);
    }

    private static boolean isSorted(String className) {
        return className.contains("Sorted") || className.contains("Navigable");
    }

    /** A sorted set of these values, in their order: that of a comparator that is not known, if it is not their own. */
    private static TreeSet<Object> sorted(List<Object> values) {
        try {
            TreeSet<Object> sorted = new TreeSet<>(values);
            if (isSame(new ArrayList<>(sorted), values)) {
                return sorted;
            }
        } catch (ClassCastException | NullPointerException e) {
            // They have no order of their own.
        }
        TreeSet<Object> sorted = new TreeSet<>(Comparator.comparingInt(values::indexOf));
        sorted.addAll(values);
        return sorted;
    }

    /** What is behind a wrapper of the JDK's, which does not let itself be changed; {@code null} if it is none, or cannot be had. */
    private static Object wrapped(Object target) {
        String name = target.getClass().getName();
        for (Class<?> at = target.getClass(); at != null && name.startsWith("java.util.Collections$"); at = at.getSuperclass()) {
            for (Field field : at.getDeclaredFields()) {
                if (field.getName().equals("c") || field.getName().equals("m")) {
                    try {
                        return RawAccess.get(at, field.getName(), target);
                    } catch (IllegalStateException | UnsupportedOperationException e) {
                        return null;
                    }
                }
            }
        }
        return null;
    }

    /**
     * Makes {@code target} hold exactly {@code values}.
     *
     * @return whether its class allows that
     * @throws RuntimeException what the target's own methods throw
     */
    @SuppressWarnings("unchecked")
    static boolean refill(Object target, Content content, List<Object> values) {
        try {
            String name = target.getClass().getName();
            if (name.startsWith("java.util.") && name.indexOf('$') > 0 && content.kind != Content.Kind.TEXT) {
                // A view leads to another container: that is what would change.
                if (isSame(Recognition.held(content.kind, target), values)) {
                    return true;
                }
                Object wrapped = wrapped(target);
                if (wrapped != null) {
                    return refill(wrapped, content, values);
                }
                if (!name.equals("java.util.Arrays$ArrayList")) {
                    return false;
                }
            }
            if (content.kind == Content.Kind.ENTRIES && target instanceof Map) {
                Map<Object, Object> map = (Map<Object, Object>) target;
                map.clear();
                for (int i = 0; i + 1 < values.size(); i += 2) {
                    map.put(values.get(i), values.get(i + 1));
                }
                return true;
            }
            if (content.kind == Content.Kind.ELEMENTS && target instanceof Collection) {
                refill((Collection<Object>) target, values);
                return true;
            }
            if (content.kind == Content.Kind.TEXT && target instanceof StringBuilder) {
                ((StringBuilder) target).replace(0, ((StringBuilder) target).length(), content.text);
                return true;
            }
            if (content.kind == Content.Kind.TEXT && target instanceof StringBuffer) {
                ((StringBuffer) target).replace(0, ((StringBuffer) target).length(), content.text);
                return true;
            }
            return content.kind == Content.Kind.TEXT && target.toString().equals(content.text);
        } catch (UnsupportedOperationException e) {
            return false;
        }
    }

    private static void refill(Collection<Object> target, List<Object> values) {
        if (target instanceof List && target.size() == values.size()) {
            // Also right for lists of fixed size, which only allow this.
            List<Object> list = (List<Object>) target;
            for (int i = 0; i < values.size(); i++) {
                if (list.get(i) != values.get(i)) {
                    list.set(i, values.get(i));
                }
            }
            return;
        }
        target.clear();
        target.addAll(values);
    }
}
