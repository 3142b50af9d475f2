package java.lang;

import static java.lang.JinsiRaw.FORM_ARRAY;
import static java.lang.JinsiRaw.FORM_ELEMENTS;
import static java.lang.JinsiRaw.FORM_ENTRIES;
import static java.lang.JinsiRaw.FORM_PRIMITIVES;
import static java.lang.JinsiRaw.FORM_TEXT;
import static java.lang.JinsiRaw.FORM_TOO_LARGE;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Vector;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;

/**
 * Records what arrays and natural objects hold when they cross the edge of observed code.
 *
 * <p>Only objects whose exact class belongs to the JDK are walked, so no code of the program runs. Nested arrays and natural
 * objects are recorded as well, each once a crossing and down to a depth. No lock of a container is taken: whoever holds it may be
 * waiting for this thread.
 */
final class JinsiContent {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** Elements beyond which content is not recorded. */
    static final int BOUND = 1 << 16;
    /** Characters beyond which what a builder of texts holds is not: loops hand them over again and again while they grow. */
    private static final int LONG_TEXT = 1 << 12;
    private static final int DEPTH = 8;
    private static final long VECTOR_DATA = U.objectFieldOffset(Vector.class, "elementData");
    private static final long VECTOR_COUNT = U.objectFieldOffset(Vector.class, "elementCount");

    /** What a class' instances hold. */
    private enum Shape { NONE, ELEMENTS, ENTRIES, TEXT, LOCALE, SHOWN_ELEMENTS, SHOWN_ENTRIES }

    private static final ClassValue<Shape> SHAPES = new ClassValue<>() {
        @Override
        protected Shape computeValue(Class<?> type) {
            return shape(type);
        }
    };

    private JinsiContent() {}

    /** Runs what a first recording would initialize, so that it does not happen inside an event. */
    static void warmUp() {
        entries(new java.util.HashMap<>());
        SHAPES.get(java.util.ArrayList.class);
        isShown(java.util.Collections.unmodifiableList(new ArrayList<>()));
        SHAPES.get(java.util.HashMap.class);
        SHAPES.get(Object.class);
        for (Class<?> array : new Class<?>[] {boolean[].class, byte[].class, char[].class, short[].class, int[].class,
            long[].class, float[].class, double[].class}) {
            base(array);
        }
        JinsiPatch.warmUp();
    }

    private static Shape shape(Class<?> type) {
        if (type.getClassLoader() != null) {
            return Shape.NONE;
        }
        String name = type.getName();
        if (name.startsWith("java.util.")) {
            if (type == Locale.class) {
                return Shape.LOCALE;
            }
            if (type == java.util.UUID.class) {
                return Shape.TEXT;
            }
            // Views and wrappers may run the program's comparators or collections below; of them, see JinsiViews.
            boolean plain = name.startsWith("java.util.ImmutableCollections$") || name.indexOf('$') < 0
                || name.equals("java.util.Arrays$ArrayList") || name.startsWith("java.util.Collections$Singleton")
                || name.startsWith("java.util.Collections$Empty");
            if (plain && Collection.class.isAssignableFrom(type)) {
                return java.util.concurrent.BlockingQueue.class.isAssignableFrom(type) ? Shape.NONE : Shape.ELEMENTS;
            }
            if (plain && Map.class.isAssignableFrom(type)) {
                return Shape.ENTRIES;
            }
            if (JinsiViews.mayShow(type)) {
                return Map.class.isAssignableFrom(type) ? Shape.SHOWN_ENTRIES : Shape.SHOWN_ELEMENTS;
            }
            return Shape.NONE;
        }
        // Clocks and formatters may wrap objects of the program, whose toString would run; they cannot be made from text anyway.
        boolean value = name.indexOf('$') < 0 && !name.startsWith("java.time.format.") && !type.isEnum();
        return value && (name.startsWith("java.math.") || name.startsWith("java.time.")) ? Shape.TEXT : Shape.NONE;
    }

    /** Offset of the first element. Its return type differs between JDKs, so the method cannot be named in bytecode. */
    static long base(Class<?> array) {
        return BASES.get(array);
    }

    private static final ClassValue<Long> BASES = new ClassValue<>() {
        @Override
        protected Long computeValue(Class<?> array) {
            try {
                return ((Number) Unsafe.class.getMethod("arrayBaseOffset", Class.class).invoke(U, array)).longValue();
            } catch (ReflectiveOperationException e) {
                throw new InternalError(e);
            }
        }
    };

    static int length(Object array) {
        return java.lang.reflect.Array.getLength(array);
    }

    /** Records the content of {@code value} if it is an array or a natural object. */
    @DontInline
    static void record(Object value) {
        Class<?> type = value.getClass();
        if (type == String.class || JinsiShape.known(type) > 0) {
            return;
        }
        Class<?> component = type.getComponentType();
        if (type == StringBuilder.class) {
            builder((StringBuilder) value);
        } else if (component != null && component.isPrimitive()) {
            primitives(value, type, component);
        } else if (component != null || isWalked(type) || isShown(value)) {
            new Walk(null).visit(value, 0);
        }
    }

    private static void builder(StringBuilder value) {
        long id = JinsiObjects.identify(value);
        int length = value.length();
        if (length > LONG_TEXT) {
            tooLarge(id, length);
        } else {
            text(id, value.toString());
        }
    }

    /** Is what instances of this class of the JDK's hold recorded when they cross the boundary? */
    @DontInline
    static boolean isWalked(Class<?> type) {
        if (type.getClassLoader() != null || type == String.class) {
            return false;
        }
        Shape shape = SHAPES.get(type);
        return shape != Shape.NONE && shape != Shape.SHOWN_ELEMENTS && shape != Shape.SHOWN_ENTRIES;
    }

    /** Do instances of this class of the JDK's show what others hold, which is recorded if it is plain? */
    static boolean mayShow(Class<?> type) {
        if (type.getClassLoader() != null) {
            return false;
        }
        Shape shape = SHAPES.get(type);
        return shape == Shape.SHOWN_ELEMENTS || shape == Shape.SHOWN_ENTRIES;
    }

    /** Is what this view or wrapper shows recorded when it crosses the boundary? */
    @DontInline
    static boolean isShown(Object value) {
        return mayShow(value.getClass()) && JinsiViews.isPlain(value);
    }

    private static void primitives(Object array, Class<?> type, Class<?> component) {
        int length = length(array);
        long id = JinsiObjects.identify(array);
        if (length > BOUND) {
            tooLarge(id, length);
            return;
        }
        int letter = letter(component);
        Object shown = JinsiRedact.ON ? JinsiRedact.of(array) : array;
        long bytes = (long) length * U.arrayIndexScale(type);
        if (JinsiPatch.write(id, letter, length, shown, base(type), (int) bytes)) {
            return;
        }
        if (JinsiProbe.beginContent(id, FORM_PRIMITIVES, letter, length)) {
            JinsiProbe.packed(shown, base(type), bytes);
            JinsiProbe.endContent();
            JinsiPatch.keep(id, letter, length, (int) bytes);
        }
    }

    /** One crossing: every object once, and no more elements in all than the bound. */
    static final class Walk {
        /**
         * Objects whose fields are to be recorded, because this walk named them first; {@code null} if that is done at once. A walk
         * through fields would otherwise go as deep as the program's lists are long.
         */
        final JinsiFields.Unmade unmade;
        /** Is what the trace knows passed by? */
        private final boolean news;
        private final IdentityHashMap<Object, Boolean> seen = new IdentityHashMap<>();
        private int left;

        Walk(JinsiFields.Unmade unmade) {
            this(unmade, false, BOUND);
        }

        /** One that takes no more elements than {@code room}. */
        Walk(JinsiFields.Unmade unmade, boolean news, long room) {
            this.unmade = unmade;
            this.news = news;
            this.left = (int) Math.min(room, BOUND);
        }

        /** How many more elements there is room for; less than 0 if some found none. */
        int left() {
            return left;
        }

        /** Is there room for {@code count} more elements? Takes it. */
        boolean admits(int count) {
            left -= count;
            return left >= 0;
        }

        @DontInline
        void visit(Object value, int depth) {
            if (value == null || depth > DEPTH) {
                return;
            }
            Class<?> type = value.getClass();
            Class<?> component = type.getComponentType();
            boolean array = component != null;
            boolean view = news && !array && JinsiOutgoing.isView(value);
            if (!array && !view && !isWalked(type) && !isShown(value) || seen.put(value, Boolean.TRUE) != null) {
                return;
            }
            if (view) {
                JinsiFields.view(value, this, depth);
            } else if (!array) {
                natural(value, SHAPES.get(type), depth);
            } else if (component.isPrimitive()) {
                primitives(value, type, component);
            } else {
                elements(value, (Object[]) value, FORM_ARRAY, depth);
            }
        }

        /** Comes to what something holds. */
        void take(Object held, int depth) {
            boolean known = news && JinsiObjects.isDefined(held);
            JinsiObjects.prepare(held, unmade);
            if (!known) {
                visit(held, depth + 1);
            }
        }

        private void natural(Object value, Shape shape, int depth) {
            switch (shape) {
                case ELEMENTS:
                    elements(value, held(value), FORM_ELEMENTS, depth);
                    break;
                case ENTRIES:
                    elements(value, held(value), FORM_ENTRIES, depth);
                    break;
                case SHOWN_ELEMENTS:
                    elements(value, JinsiViews.shown(value), FORM_ELEMENTS, depth);
                    break;
                case SHOWN_ENTRIES:
                    elements(value, JinsiViews.shown(value), FORM_ENTRIES, depth);
                    break;
                case TEXT:
                    text(JinsiObjects.identify(value), value.toString());
                    break;
                default:
                    text(JinsiObjects.identify(value), ((Locale) value).toLanguageTag());
                    break;
            }
        }

        private void elements(Object value, Object[] all, int form, int depth) {
            long id = JinsiObjects.identify(value);
            if (!admits(all.length)) {
                tooLarge(id, all.length);
                return;
            }
            for (Object each : all) {
                take(each, depth);
            }
            if (JinsiProbe.beginContent(id, form, 0, all.length)) {
                for (Object each : all) {
                    JinsiProbe.element(each);
                }
                JinsiProbe.endContent();
            }
        }
    }

    /** What a container of the JDK's holds; {@code null} if it is none of which that is recorded. */
    static Object[] held(Object container) {
        switch (isWalked(container.getClass()) ? SHAPES.get(container.getClass()) : Shape.NONE) {
            case ELEMENTS:
                return all((Collection<?>) container);
            case ENTRIES:
                return entries((Map<?, ?>) container);
            default:
                return null;
        }
    }

    /** Elements without the lock that all methods of {@code Vector} take. */
    private static Object[] all(Collection<?> collection) {
        if (!(collection instanceof Vector)) {
            return collection.toArray();
        }
        Object[] data = (Object[]) U.getReference(collection, VECTOR_DATA);
        return Arrays.copyOf(data, Math.min(data.length, U.getInt(collection, VECTOR_COUNT)), Object[].class);
    }

    /** Keys and values. Iteration takes no lock in any map of the JDK, {@code size} does in {@code Hashtable}. */
    private static Object[] entries(Map<?, ?> map) {
        ArrayList<Object> all = new ArrayList<>();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            all.add(entry.getKey());
            all.add(entry.getValue());
        }
        return all.toArray();
    }

    private static void text(long id, String text) {
        if (JinsiProbe.beginContent(id, FORM_TEXT, 0, 1)) {
            JinsiProbe.element(text);
            JinsiProbe.endContent();
        }
    }

    static void tooLarge(long id, long length) {
        if (JinsiProbe.beginContent(id, FORM_TOO_LARGE, 0, length)) {
            JinsiProbe.endContent();
        }
        JinsiProbe.contentTooLarge();
    }

    static char letter(Class<?> primitive) {
        if (primitive == long.class) {
            return 'J';
        }
        if (primitive == boolean.class) {
            return 'Z';
        }
        // The other six begin with their letter.
        return (char) (primitive.getName().charAt(0) - ('a' - 'A'));
    }
}
