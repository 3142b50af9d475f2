package jinsi.replay;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What can be reached from a value, as text: a line for each access path, {@code path}, a tabulator, and what is there. Two graphs are the
 * same if their texts are. The path of the root is empty; {@code .name} is a field, {@code [3]} an element, {@code {"key"}} the value of a
 * map's key. Values are written as in Java; of an object stands its class and, of containers, the size. Transient fields are caches, and left out, unless the class serializes itself. Where a path leads to an object
 * that a shorter one has led to already, it says {@code @} and that path. Objects that the recording stands in for end a path. Of a class that is a
 * root, {@code .static name} is a static field.
 */
final class MemoryGraph {
    /** Lines of a graph; what is further away is left out. */
    private static final int MAX_LINES = 4_000;
    /** Elements of a container. */
    private static final int MAX_ELEMENTS = 1_000;
    /** Steps of a path. */
    private static final int MAX_DEPTH = 12;
    /** Follows the name of the class in that of a lambda. */
    private static final String LAMBDA = "$$Lambda";

    /** A place that is yet to be written. */
    private static final class Place {
        final String path;
        final Object value;
        final int depth;

        Place(String path, Object value, int depth) {
            this.path = path;
            this.value = value;
            this.depth = depth;
        }
    }

    private final ReplayLoader loader;
    private final ObjectPool pool;
    private final StringBuilder text = new StringBuilder();
    private final Map<Object, String> paths = new IdentityHashMap<>();
    private final Deque<Place> places = new ArrayDeque<>();
    /** Roots that are classes stand for their static fields. */
    private final boolean ofClasses;
    private int lines;

    private MemoryGraph(ReplayLoader loader, ObjectPool pool, boolean ofClasses) {
        this.loader = loader;
        this.pool = pool;
        this.ofClasses = ofClasses;
    }

    /** The graph of {@code root}. Runs none of the program's code. */
    static String of(Object root, ReplayLoader loader, ObjectPool pool) {
        return new MemoryGraph(loader, pool, false).from(List.of(new Place("", root, 0))).text.toString();
    }

    /** The graph of the static fields of {@code type}, which is initialized. */
    static String ofClass(Class<?> type, ReplayLoader loader, ObjectPool pool) {
        return new MemoryGraph(loader, pool, true).from(List.of(new Place("", type, 0))).text.toString();
    }

    /** All objects that can be reached from the roots, which are objects, and classes that are initialized. */
    static Set<Object> reachable(List<Object> roots, ReplayLoader loader, ObjectPool pool) {
        List<Place> all = new ArrayList<>();
        roots.forEach(root -> all.add(new Place("", root, 0)));
        return new MemoryGraph(loader, pool, true).from(all).paths.keySet();
    }

    private MemoryGraph from(List<Place> roots) {
        places.addAll(roots);
        while (!places.isEmpty() && lines < MAX_LINES) {
            write(places.remove());
        }
        return this;
    }

    private void write(Place place) {
        lines++;
        text.append(place.path).append('\t').append(shown(place)).append('\n');
    }

    /** What stands at the place; the places behind it come later. */
    private String shown(Place place) {
        Object value = place.value;
        if (ofClasses && place.depth == 0 && value instanceof Class && loader.isCode((Class<?>) value)) {
            staticFields(place);
        }
        String plain = plain(value);
        if (plain != null) {
            return plain;
        }
        String before = paths.putIfAbsent(value, place.path);
        if (before != null) {
            return "@" + before;
        }
        String type = lasting(value.getClass());
        if (pool.isMock(value)) {
            return "stand-in of " + type;
        }
        boolean ends = place.depth >= MAX_DEPTH;
        if (value.getClass().isArray()) {
            return ends ? type : array(place, type);
        }
        if (loader.isCode(value.getClass())) {
            if (!ends) {
                fields(place);
            }
            return type;
        }
        return ends ? type : ofTheJdk(place, type);
    }

    /** Values that are their text; {@code null} for all others. */
    private static String plain(Object value) {
        if (value == null) {
            return "null";
        }
        if (value instanceof CharSequence && value.getClass().getName().startsWith("java.")) {
            return value instanceof String ? quoted((String) value)
                    : value.getClass().getSimpleName() + " " + quoted(value.toString());
        }
        if (value instanceof Character) {
            String quoted = quoted(value.toString());
            return "'" + quoted.substring(1, quoted.length() - 1) + "'";
        }
        if (value instanceof Class) {
            return lasting((Class<?>) value) + ".class";
        }
        if (value instanceof Enum) {
            return ((Enum<?>) value).getDeclaringClass().getSimpleName() + "." + ((Enum<?>) value).name();
        }
        if (value instanceof Long) {
            return value + "L";
        }
        if (value instanceof Float) {
            return value + "f";
        }
        if (value instanceof Byte || value instanceof Short) {
            return "(" + value.getClass().getSimpleName().toLowerCase(java.util.Locale.ROOT) + ") " + value;
        }
        return value instanceof Integer || value instanceof Boolean || value instanceof Double ? value.toString() : null;
    }

    /** The class's name without what the JVM makes up anew in each run: the number of a lambda or proxy, the address of a hidden class. */
    static String lasting(Class<?> type) {
        String name = type.getTypeName();
        if (Proxy.isProxyClass(type)) {
            return name.replaceFirst("[0-9]+$", "");
        }
        int address = name.indexOf('/');
        if (address < 0) {
            return name;
        }
        String outside = name.substring(0, address);
        int lambda = outside.indexOf(LAMBDA);
        return lambda < 0 ? outside : outside.substring(0, lambda + LAMBDA.length());
    }

    private String array(Place place, String type) {
        int length = Array.getLength(place.value);
        for (int i = 0; i < Math.min(length, MAX_ELEMENTS); i++) {
            add(place, "[" + i + "]", Array.get(place.value, i));
        }
        return type.substring(0, type.indexOf('[') + 1) + length + type.substring(type.indexOf('[') + 1);
    }

    private void fields(Place place) {
        Set<String> names = new HashSet<>();
        boolean all = writesItself(place.value.getClass());
        for (Class<?> type = place.value.getClass(); loader.isCode(type); type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                boolean counts = !Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()
                        && (all || !Modifier.isTransient(field.getModifiers()));
                if (!counts || !field.trySetAccessible()) {
                    continue;
                }
                String name = names.add(field.getName()) ? field.getName() : type.getSimpleName() + "::" + field.getName();
                add(place, "." + name, RawAccess.read(field, place.value));
            }
        }
    }

    /** Those of a class that is initialized, without its constants. */
    private void staticFields(Place place) {
        for (Field field : ((Class<?>) place.value).getDeclaredFields()) {
            boolean constant = Modifier.isFinal(field.getModifiers())
                    && (field.getType().isPrimitive() || field.getType() == String.class);
            if (Modifier.isStatic(field.getModifiers()) && !field.isSynthetic() && !constant && field.trySetAccessible()) {
                add(place, ".static " + field.getName(), RawAccess.readStatic(field));
            }
        }
    }

    /** Whether objects of this class are serialized by themselves: what is transient in them may be more than a cache. */
    private boolean writesItself(Class<?> type) {
        for (Class<?> at = type; loader.isCode(at); at = at.getSuperclass()) {
            for (Method method : at.getDeclaredMethods()) {
                if (method.getName().equals("writeObject") || method.getName().equals("writeExternal")) {
                    return true;
                }
            }
        }
        return false;
    }

    private String ofTheJdk(Place place, String type) {
        Object value = place.value;
        try {
            if (value instanceof Collection) {
                int i = 0;
                for (Object element : elements((Collection<?>) value)) {
                    add(place, "[" + i++ + "]", element);
                }
                return type + " of " + ((Collection<?>) value).size();
            }
            if (value instanceof Map) {
                entries(place, (Map<?, ?>) value);
                return type + " of " + ((Map<?, ?>) value).size();
            }
            if (value instanceof Optional) {
                add(place, ".value", ((Optional<?>) value).orElse(null));
                return type;
            }
            boolean isValue = value instanceof Comparable || value instanceof Number;
            return isValue && type.startsWith("java.") ? type + " " + quoted(value.toString()) : type;
        } catch (RuntimeException | Error e) {
            // A container of the JDK's that asks what nobody answers.
            return type;
        }
    }

    private static List<Object> elements(Collection<?> all) {
        List<Object> some = new ArrayList<>();
        for (Object element : all) {
            if (some.size() == MAX_ELEMENTS) {
                break;
            }
            some.add(element);
        }
        if (all instanceof Set && !(all instanceof java.util.SortedSet) && some.stream().allMatch(MemoryGraph::isPlain)) {
            // In the order of the text: that of a hash set says nothing.
            some.sort((a, b) -> plain(a).compareTo(plain(b)));
        }
        return some;
    }

    private static boolean isPlain(Object value) {
        return plain(value) != null;
    }

    private void entries(Place place, Map<?, ?> map) {
        List<Map.Entry<?, ?>> entries = new ArrayList<>(map.entrySet());
        if (entries.size() > MAX_ELEMENTS) {
            entries = entries.subList(0, MAX_ELEMENTS);
        }
        boolean plain = entries.stream().allMatch(e -> isPlain(e.getKey()));
        int i = 0;
        for (Map.Entry<?, ?> entry : sorted(entries, plain)) {
            if (plain) {
                add(place, "{" + plain(entry.getKey()) + "}", entry.getValue());
            } else {
                add(place, "{key " + i + "}", entry.getKey());
                add(place, "{value " + i++ + "}", entry.getValue());
            }
        }
    }

    private static List<Map.Entry<?, ?>> sorted(List<Map.Entry<?, ?>> entries, boolean plain) {
        if (!plain) {
            return entries;
        }
        Map.Entry<?, ?>[] sorted = entries.toArray(new Map.Entry<?, ?>[0]);
        Arrays.sort(sorted, (a, b) -> plain(a.getKey()).compareTo(plain(b.getKey())));
        List<Map.Entry<?, ?>> result = new ArrayList<>();
        Collections.addAll(result, sorted);
        return result;
    }

    private void add(Place from, String step, Object value) {
        if (lines + places.size() < MAX_LINES) {
            places.add(new Place(from.path + step, value, from.depth + 1));
        }
    }

    /** A string as a literal, all on one line. */
    private static String quoted(String value) {
        StringBuilder out = new StringBuilder("\"");
        for (char c : value.toCharArray()) {
            switch (c) {
                case '\n':
                    out.append("\\n");
                    break;
                case '\r':
                    out.append("\\r");
                    break;
                case '\t':
                    out.append("\\t");
                    break;
                case '"':
                case '\\':
                    out.append('\\').append(c);
                    break;
                default:
                    out.append(Character.isISOControl(c) ? String.format("\\u%04x", (int) c) : String.valueOf(c));
            }
        }
        return out.append('"').toString();
    }
}
