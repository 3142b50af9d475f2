package recipes.walk;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.BitSet;
import java.util.Collection;
import java.util.Date;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** The memory graph of an object as text. An object that comes up again has its number only. Of the JDK's, what can be seen from outside. */
public final class Walk {
    private final IdentityHashMap<Object, Integer> numbers = new IdentityHashMap<>();
    private final StringBuilder text = new StringBuilder();

    private Walk() {
    }

    /** The graph of what can be reached from {@code root}. */
    public static String of(Object root) {
        Walk walk = new Walk();
        walk.visit(root);
        return walk.text.toString();
    }

    private void visit(Object thing) {
        if (thing == null || thing instanceof String || thing instanceof Number || thing instanceof Boolean
                || thing instanceof Enum) {
            text.append(thing);
            return;
        }
        Integer known = numbers.putIfAbsent(thing, numbers.size());
        if (known != null) {
            text.append('#').append(known);
            return;
        }
        if (thing instanceof Supplier) {
            text.append("Supplier(");
            visit(((Supplier<?>) thing).get());
            text.append(')');
            return;
        }
        Class<?> type = thing.getClass();
        text.append(type.getSimpleName()).append('(');
        if (type.isArray()) {
            for (int i = 0; i < Array.getLength(thing); i++) {
                part(Array.get(thing, i));
            }
        } else if (type.getClassLoader() == null) {
            ofJdk(thing);
        } else {
            for (Class<?> at = type; at != Object.class; at = at.getSuperclass()) {
                fields(thing, at);
            }
        }
        text.append(')');
    }

    private void part(Object thing) {
        visit(thing);
        text.append(',');
    }

    private void ofJdk(Object thing) {
        if (thing instanceof Collection) {
            ((Collection<?>) thing).forEach(this::part);
        } else if (thing instanceof Map) {
            part(thing instanceof SortedMap && ((SortedMap<?, ?>) thing).comparator() != null);
            ((Map<?, ?>) thing).forEach((key, value) -> {
                part(key);
                part(value);
            });
        } else if (thing instanceof Optional) {
            visit(((Optional<?>) thing).orElse(null));
        } else if (thing instanceof AtomicReference) {
            visit(((AtomicReference<?>) thing).get());
        } else if (thing instanceof Date) {
            text.append(((Date) thing).getTime());
        } else if (thing instanceof BitSet || thing instanceof CharSequence || thing instanceof Comparable) {
            text.append(thing);
        } else {
            throw new IllegalArgumentException(thing.getClass().getName());
        }
    }

    private void fields(Object thing, Class<?> type) {
        for (Field field : type.getDeclaredFields()) {
            // The agent's own are synthetic.
            if (!Modifier.isStatic(field.getModifiers()) && !field.isSynthetic() || field.getName().startsWith("this$")) {
                field.setAccessible(true);
                try {
                    part(field.get(thing));
                } catch (IllegalAccessException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }
}
