package jinsi.replay;

import java.lang.ref.Reference;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import java.util.concurrent.ConcurrentHashMap;

/** What objects of the JDK hold, as far as one that uses them can tell. */
final class JdkContents {
    private static final Object[] NOTHING = {};
    /** Classes of which the fields say what they are. */
    private static final String[] PLAIN = {
        "java.util.Collections$", "java.util.Optional", "java.util.concurrent.atomic.", "java.io.StringReader",
        "java.io.ByteArrayInputStream", "java.util.BitSet", "java.text.ParsePosition", "java.lang.Object"
    };

    /** Packages of which objects hold nothing but memory. */
    private static final String[] PACKAGES = {
        "java.util.", "java.text.", "java.io.", "java.nio.", "sun.nio.cs.", "sun.util.", "sun.text.", "java.math.", "java.awt.", "javax.swing.event.",
        "java.lang.Object", "java.lang.ThreadLocal", "java.lang.StackTrace"
    };

    private final ObjectGraph graph;
    private final int given;
    private boolean drawn;

    /** Objects whose numbers are below this are the same on both sides. */
    JdkContents(ObjectGraph graph, int given) {
        this.graph = graph;
        this.given = given;
    }

    /** What an object holds by a class of the JDK that its class inherits from. */
    static final class Inherited {
        final Object object;
        final Class<?> type;

        Inherited(Object object, Class<?> type) {
            this.object = object;
            this.type = type;
        }
    }

    /** Does something depend on hash codes that the JVM draws? */
    boolean isDrawn() {
        return drawn;
    }

    /** The text that says all of it; {@code null} if none does. */
    String text(Object object) {
        if (object instanceof StringBuilder || object instanceof StringBuffer) {
            return object.toString();
        }
        if (object instanceof Enum) {
            return ((Enum<?>) object).name();
        }
        if (object instanceof TimeZone) {
            return ((TimeZone) object).getID();
        }
        boolean isDate = object.getClass() == java.util.Date.class;
        return isDate ? Long.toString(((java.util.Date) object).getTime()) : null;
    }

    /** The elements of a container; of a map, its keys and values; {@code null} if it is none. */
    Object[] elements(Object object) {
        String name = object.getClass().getName();
        if (object instanceof Reference) {
            return new Object[] {((Reference<?>) object).get()};
        }
        boolean calls = name.startsWith("java.util.Collections$") || name.startsWith("java.util.AbstractMap$")
                || name.startsWith("java.util.AbstractList$");
        if (!name.startsWith("java.util.") || calls && !name.startsWith("java.util.AbstractMap$Simple")) {
            return null;
        }
        try {
            if (object instanceof Map) {
                return entries((Map<?, ?>) object);
            } else if (object instanceof Map.Entry) {
                return new Object[] {((Map.Entry<?, ?>) object).getKey(), ((Map.Entry<?, ?>) object).getValue()};
            } else if (object instanceof Collection) {
                Object[] all = ((Collection<?>) object).toArray();
                return isHashed(object) ? sorted(all) : all;
            }
        } catch (RuntimeException e) {
            // It was changed while something goes through it.
            return null;
        }
        return null;
    }

    private Object[] entries(Map<?, ?> map) {
        List<Object[]> entries = new ArrayList<>();
        map.forEach((key, value) -> entries.add(new Object[] {key, value}));
        if (isHashed(map)) {
            entries.sort(Comparator.comparing(entry -> entry[0], order(keys(entries))));
        }
        List<Object> all = new ArrayList<>();
        entries.forEach(entry -> all.addAll(Arrays.asList(entry)));
        return all.isEmpty() ? NOTHING : all.toArray();
    }

    private static Object[] keys(List<Object[]> entries) {
        return entries.stream().map(entry -> entry[0]).toArray();
    }

    private Object[] sorted(Object[] all) {
        Arrays.sort(all, order(all));
        return all;
    }

    /** An order that is the same on both sides, where there is one; else that in which they come. */
    private Comparator<Object> order(Object[] all) {
        boolean known = true;
        for (Object object : all) {
            known &= object == null || object instanceof String || object instanceof Number
                    || object instanceof Character || object instanceof Boolean || number(object) < given;
        }
        if (!known) {
            drawn |= draws(all);
            return (a, b) -> 0;
        }
        return Comparator.comparing(this::key);
    }

    private int number(Object object) {
        int number = graph.numberOf(object);
        return number < 0 ? Integer.MAX_VALUE : number;
    }

    private String key(Object object) {
        boolean isNumbered = number(object) != Integer.MAX_VALUE;
        return object == null ? "" : isNumbered
                ? String.format("%10d", number(object)) : object.getClass().getName() + ":" + object;
    }

    /** Is the order of its elements one of hash codes? */
    static boolean isHashed(Object object) {
        boolean hashed = object instanceof HashMap || object instanceof HashSet || object instanceof Hashtable
                || object instanceof ConcurrentHashMap || object instanceof IdentityHashMap;
        return hashed && !(object instanceof LinkedHashMap) && !(object instanceof LinkedHashSet);
    }

    /** Is the order of elements drawn by the JVM, if they are in a hash table? */
    static boolean draws(Object[] all) {
        int drawn = 0;
        for (Object object : all) {
            if (object != null) {
                try {
                    Class<?> by = object.getClass().getMethod("hashCode").getDeclaringClass();
                    drawn += by == Object.class || by == Enum.class || by == Class.class ? 1 : 0;
                } catch (NoSuchMethodException e) {
                    drawn++;
                }
            }
        }
        return drawn > 1;
    }

    /** Is an object a hash table whose order the JVM draws? */
    static boolean isDrawn(Object object) {
        if (object == null || !isHashed(object) || !object.getClass().getName().startsWith("java.util.")) {
            return false;
        }
        try {
            return draws(object instanceof Map ? ((Map<?, ?>) object).keySet().toArray() : ((Collection<?>) object).toArray());
        } catch (RuntimeException e) {
            return true;
        }
    }

    /** Is what an object holds more than can be recorded? */
    boolean isOpaque(Object object) {
        String name = object.getClass().getName();
        boolean known = Arrays.stream(PACKAGES).anyMatch(name::startsWith);
        return !known || name.indexOf('/') >= 0 || object instanceof java.io.PrintStream || isRecord(object.getClass());
    }

    private static boolean isRecord(Class<?> type) {
        Class<?> above = type.getSuperclass();
        return above != null && above.getName().equals("java.lang.Record");
    }

    /** Do the fields of a class say what its objects are, and not just how they do it? */
    boolean isPlain(Class<?> type) {
        return Arrays.stream(PLAIN).anyMatch(type.getName()::startsWith);
    }

    /** Does a field of the JDK's only count, or keep what can be computed again? */
    static boolean isIdle(Field field) {
        return field.getName().equals("modCount") || field.getName().equals("expectedModCount")
                || field.getName().equals("hash") || field.getType() == ClassLoader.class;
    }
}
