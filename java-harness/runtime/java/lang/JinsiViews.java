package java.lang;

import java.util.Collection;
import java.util.Map;
import java.util.Vector;

/**
 * Containers of the JDK's that show what another one holds: {@code Collections.unmodifiableList}, {@code keySet()}, {@code subList()}. What such
 * a one shows can be recorded if all that is behind it is plain: then no code of the program or of a library runs, and no lock is taken.
 */
final class JinsiViews {
    /** Wrappers, views of maps and lists, and sets made of maps. Not views of a part of a sorted container, which compare, nor views of entries. */
    private static final String[] BEGINNINGS = {
        "java.util.Collections$Unmodifiable", "java.util.Collections$Synchronized", "java.util.Collections$Checked",
        "java.util.Collections$SetFromMap", "java.util.ArrayList$SubList", "java.util.HashMap$KeySet", "java.util.HashMap$Values",
        "java.util.LinkedHashMap$Linked", "java.util.TreeMap$KeySet", "java.util.TreeMap$Values", "java.util.IdentityHashMap$KeySet",
        "java.util.IdentityHashMap$Values", "java.util.EnumMap$KeySet", "java.util.EnumMap$Values",
        "java.util.concurrent.ConcurrentHashMap$KeySetView", "java.util.concurrent.ConcurrentHashMap$ValuesView",
    };
    /** What is wrapped: a collection, or a map. */
    private static final String[] WRAPPED = {"c", "m"};
    private static final int DEPTH = 4;
    private static final Object[] NOTHING = {};

    private JinsiViews() {}

    /** May instances of this class of {@code java.util} be such ones? */
    static boolean mayShow(Class<?> type) {
        String name = type.getName();
        if (name.indexOf("Entr") >= 0 || !Collection.class.isAssignableFrom(type) && !Map.class.isAssignableFrom(type)) {
            return false;
        }
        for (String beginning : BEGINNINGS) {
            if (name.startsWith(beginning)) {
                return true;
            }
        }
        return false;
    }

    /** Is {@code container}, whose class may show something, one behind which all is plain? */
    static boolean isPlain(Object container) {
        return isPlain(container, 0);
    }

    private static boolean isPlain(Object container, int depth) {
        if (JinsiContent.isWalked(container.getClass())) {
            // Parts of it would take its lock.
            return depth == 0 || !(container instanceof Vector);
        }
        if (depth > DEPTH || !JinsiContent.mayShow(container.getClass())) {
            return false;
        }
        boolean found = false;
        for (Object behind : JinsiFields.allReferences(container)) {
            if (behind != container && (behind instanceof Collection || behind instanceof Map)) {
                if (!isPlain(behind, depth + 1)) {
                    return false;
                }
                found = true;
            }
        }
        return found;
    }

    /** The elements that a plain one shows; of a map, its keys and values. */
    static Object[] shown(Object container) {
        Object wrapped = wrapped(container);
        if (wrapped != container) {
            Object[] held = JinsiContent.held(wrapped);
            return held != null ? held : shown(wrapped);
        }
        return container instanceof Collection ? ((Collection<?>) container).toArray() : NOTHING;
    }

    /** What is behind a wrapper, which may have a lock; itself if it is none. */
    private static Object wrapped(Object container) {
        if (container.getClass().getName().startsWith("java.util.Collections$")) {
            for (String name : WRAPPED) {
                Object wrapped = JinsiFields.reference(container, name);
                if (wrapped instanceof Collection && container instanceof Collection
                        || wrapped instanceof Map && container instanceof Map) {
                    return wrapped;
                }
            }
        }
        return container;
    }
}
