package java.lang;

import static java.lang.JinsiNumbers.HANDLE_COMPARE_AND_EXCHANGE;
import static java.lang.JinsiNumbers.HANDLE_COMPARE_AND_SET;
import static java.lang.JinsiNumbers.HANDLE_GET;
import static java.lang.JinsiNumbers.HANDLE_GET_AND_ADD;
import static java.lang.JinsiNumbers.HANDLE_GET_AND_AND;
import static java.lang.JinsiNumbers.HANDLE_GET_AND_OR;
import static java.lang.JinsiNumbers.HANDLE_GET_AND_SET;
import static java.lang.JinsiNumbers.HANDLE_SET;
import static java.lang.JinsiRaw.KIND_GET_FIELD;
import static java.lang.JinsiRaw.KIND_GET_STATIC;
import static java.lang.JinsiRaw.KIND_PUT_FIELD;
import static java.lang.JinsiRaw.KIND_PUT_STATIC;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import jdk.internal.misc.Unsafe;

/**
 * Accesses to fields of observed classes that no instruction names: by {@code java.lang.reflect.Field}, and by {@code VarHandle} from
 * code that is not observed.
 *
 * <p>They are written as the field events that an instruction would have made, with a site made on demand that names the declaring
 * class, so that fields of one name in one object are distinguished. {@code Field} is rewritten to call here before it returns
 * normally; {@link #handle} is called behind the calls of {@code VarHandle} methods in classes that are not observed.
 */
public final class JinsiReflection {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final long SLOT = U.objectFieldOffset(Field.class, "slot");

    /** Of classes that are not observed. */
    private static final Sites NONE = new Sites();

    private static final ClassValue<Sites> SITES = new ClassValue<>() {
        @Override
        protected Sites computeValue(Class<?> type) {
            ClassLoader loader = type.getClassLoader();
            boolean jdk = loader == null || loader == ClassLoader.getPlatformClassLoader();
            return observed0(type.getName(), jdk) ? new Sites() : NONE;
        }
    };

    private JinsiReflection() {}

    /** Fields of a class as reflection shows them: without ours. */
    public static Field[] hide(Field[] fields) {
        for (int i = 0; i < fields.length; i++) {
            if (fields[i].getName().equals(JinsiShape.FIELD)) {
                Field[] others = new Field[fields.length - 1];
                System.arraycopy(fields, 0, others, 0, i);
                System.arraycopy(fields, i + 1, others, i, others.length - i);
                return others;
            }
        }
        return fields;
    }

    /** The sites of one declaring class: by the field's slot in it, read and write. */
    private static final class Sites {
        private volatile int[] numbers = {};

        int of(Field field, boolean write) {
            int at = U.getInt(field, SLOT) * 2 + (write ? 1 : 0);
            int[] known = numbers;
            int site = at < known.length ? known[at] : 0;
            return site != 0 ? site : add(field, write, at);
        }

        private synchronized int add(Field field, boolean write, int at) {
            int[] grown = java.util.Arrays.copyOf(numbers, Math.max(numbers.length, (at | 1) + 1));
            if (grown[at] == 0) {
                boolean isStatic = Modifier.isStatic(field.getModifiers());
                grown[at] = site0(field.getDeclaringClass().getName(), field.getName(),
                    JinsiNames.descriptor(field.getType()), kind(isStatic, write), false);
                numbers = grown;
            }
            return grown[at];
        }
    }

    /** Runs what a first access would initialize, and looks every native method up. */
    static void warmUp() {
        SITES.get(Object.class);
        site0(null, null, null, 0, false);
        JinsiNames.warmUp();
    }

    /** Is this class observed? */
    private static native boolean observed0(String className, boolean jdk);

    /** Number of a new site at which the field is accessed by a {@code VarHandle} ({@code handle}) or {@code Field}. */
    private static native int site0(String className, String field, String descriptor, int kind, boolean handle);

    static boolean isObserved(Class<?> type) {
        return SITES.get(type) != NONE;
    }

    static int site(JinsiNames.Target field, boolean write) {
        return site0(field.owner.getName(), field.name, JinsiNames.descriptor(field.type), kind(field.isStatic, write), true);
    }

    private static int kind(boolean isStatic, boolean write) {
        return isStatic ? (write ? KIND_PUT_STATIC : KIND_GET_STATIC) : (write ? KIND_PUT_FIELD : KIND_GET_FIELD);
    }

    // Called by java.lang.reflect.Field with the value read or written; boxes are made for observed classes only.

    /** A value of type boolean, byte, char, short or int was read or written. */
    public static void accessed(int value, Field field, Object target, boolean write) {
        if (concerns(field)) {
            reflected(value, field, target, write);
        }
    }

    /** A long was read or written. */
    public static void accessed(long value, Field field, Object target, boolean write) {
        if (concerns(field)) {
            reflected(value, field, target, write);
        }
    }

    /** A float was read or written. */
    public static void accessed(float value, Field field, Object target, boolean write) {
        if (concerns(field)) {
            reflected(value, field, target, write);
        }
    }

    /** A double was read or written. */
    public static void accessed(double value, Field field, Object target, boolean write) {
        if (concerns(field)) {
            reflected(value, field, target, write);
        }
    }

    /** A reference, or the box of what the field holds, was read or written. */
    public static void accessed(Object value, Field field, Object target, boolean write) {
        if (concerns(field)) {
            reflected(value, field, target, write);
        }
    }

    private static boolean concerns(Field field) {
        try {
            return SITES.get(field.getDeclaringClass()) != NONE;
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return false; // as in JinsiProbe: nothing is thrown into the program
        }
    }

    private static void reflected(Object value, Field field, Object target, boolean write) {
        try {
            Class<?> type = field.getType();
            boolean isStatic = Modifier.isStatic(field.getModifiers());
            if (value instanceof Float && type != float.class || value instanceof Double && type == long.class) {
                // A read that rounded. What the field holds is looked up, so that the trace has the exact value.
                Object base = isStatic ? U.staticFieldBase(field) : target;
                value = load(type, base, isStatic ? U.staticFieldOffset(field) : U.objectFieldOffset(field));
            }
            write(SITES.get(field.getDeclaringClass()).of(field, write), kind(isStatic, write), type, target, value);
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // left out
        }
    }

    /** What a field holds. */
    private static Object load(Class<?> type, Object base, long offset) {
        if (type == long.class) {
            return U.getLongVolatile(base, offset);
        }
        if (type == int.class) {
            return U.getIntVolatile(base, offset);
        }
        if (type == short.class) {
            return U.getShortVolatile(base, offset);
        }
        if (type == char.class) {
            return U.getCharVolatile(base, offset);
        }
        if (type == byte.class) {
            return U.getByteVolatile(base, offset);
        }
        if (type == boolean.class) {
            return U.getBooleanVolatile(base, offset);
        }
        if (type == float.class) {
            return U.getFloatVolatile(base, offset);
        }
        return type == double.class ? U.getDoubleVolatile(base, offset) : JinsiNames.reference(base, offset);
    }

    private static void write(int site, int kind, Class<?> type, Object target, Object value) {
        if (site == 0) {
            return;
        }
        if ((kind == KIND_PUT_FIELD || kind == KIND_PUT_STATIC) && !type.isPrimitive()) {
            JinsiProbe.content(value); // it comes from the environment
        }
        JinsiProbe.begin();
        if (kind == KIND_GET_FIELD || kind == KIND_PUT_FIELD) {
            JinsiProbe.addReference(target);
        }
        operand(type, value);
        JinsiProbe.endAccess(site, kind);
    }

    /** The value as an operand of the field's type, whatever it was read or written as. */
    private static void operand(Class<?> type, Object value) {
        if (!type.isPrimitive()) {
            JinsiProbe.addReference(value);
        } else if (type == boolean.class) {
            JinsiProbe.addInt(value instanceof Boolean ? ((Boolean) value ? 1 : 0) : number(value).intValue());
        } else if (type == long.class) {
            JinsiProbe.addLong(number(value).longValue());
        } else if (type == float.class) {
            JinsiProbe.addFloat(number(value).floatValue());
        } else if (type == double.class) {
            JinsiProbe.addDouble(number(value).doubleValue());
        } else {
            JinsiProbe.addInt(number(value).intValue());
        }
    }

    private static Number number(Object value) {
        return value instanceof Character ? (Number) (int) (Character) value : (Number) value;
    }

    /**
     * A {@code VarHandle} has accessed a field of {@code target}. {@code a} and {@code b} are the arguments behind the target,
     * {@code result} what was returned, all boxed; {@code result} is null too if the caller did not ask for it ({@code used} false).
     */
    public static void handle(Object result, Object a, Object b, Object handle, Object target, int mode, boolean used) {
        try {
            JinsiNames.Target field = JinsiNames.target(handle);
            if (field != null && !field.isStatic && isObserved(field.owner)) {
                Access access = new Access(field, target);
                access.run(result, a, b, mode, used);
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // left out
        }
    }

    /** One access by a handle: a read, a write, or a read and a write. */
    private static final class Access {
        private final JinsiNames.Target field;
        private final Object target;

        Access(JinsiNames.Target field, Object target) {
            this.field = field;
            this.target = target;
        }

        void run(Object result, Object a, Object b, int mode, boolean used) {
            switch (mode) {
                case HANDLE_GET:
                    got(result, used);
                    break;
                case HANDLE_SET:
                    put(a);
                    break;
                case HANDLE_COMPARE_AND_SET:
                    if ((Boolean) result) {
                        put(b);
                    }
                    break;
                case HANDLE_COMPARE_AND_EXCHANGE:
                    got(result, used);
                    // Without the witness, that the new value is there is all that tells.
                    if (used ? same(result, a) : same(now(), b)) {
                        put(b);
                    }
                    break;
                case HANDLE_GET_AND_SET:
                    got(result, used);
                    put(a);
                    break;
                default:
                    got(result, used);
                    put(used ? updated(result, a, mode) : now());
                    break;
            }
        }

        private void got(Object value, boolean used) {
            if (used) {
                write(field.site(false), KIND_GET_FIELD, field.type, target, value);
            }
        }

        private void put(Object value) {
            write(field.site(true), KIND_PUT_FIELD, field.type, target, value);
        }

        private Object now() {
            return load(field.type, target, field.offset);
        }

        /** As the access modes compare: references by identity, primitives of the field's type by their bits. */
        private boolean same(Object x, Object y) {
            if (!field.type.isPrimitive()) {
                return x == y;
            }
            if (x instanceof Boolean) {
                return x.equals(y);
            }
            if (field.type == float.class) {
                return Float.floatToRawIntBits(number(x).floatValue()) == Float.floatToRawIntBits(number(y).floatValue());
            }
            if (field.type == double.class) {
                return Double.doubleToRawLongBits(number(x).doubleValue())
                    == Double.doubleToRawLongBits(number(y).doubleValue());
            }
            return number(x).longValue() == number(y).longValue();
        }

        private Object updated(Object old, Object operand, int mode) {
            if (old instanceof Boolean) {
                boolean x = (Boolean) old;
                boolean y = (Boolean) operand;
                return mode == HANDLE_GET_AND_OR ? x | y : mode == HANDLE_GET_AND_AND ? x & y : x ^ y;
            }
            if (field.type == float.class) {
                return number(old).floatValue() + number(operand).floatValue();
            }
            if (field.type == double.class) {
                return number(old).doubleValue() + number(operand).doubleValue();
            }
            long x = number(old).longValue();
            long y = number(operand).longValue();
            return narrowed(mode == HANDLE_GET_AND_ADD ? x + y : mode == HANDLE_GET_AND_OR ? x | y : mode == HANDLE_GET_AND_AND ? x & y : x ^ y);
        }

        private Object narrowed(long value) {
            if (field.type == byte.class) {
                return (byte) value;
            }
            if (field.type == short.class) {
                return (short) value;
            }
            if (field.type == char.class) {
                return (char) value;
            }
            // Not one conditional expression: that would make longs of both.
            if (field.type == int.class) {
                return (int) value;
            }
            return value;
        }
    }
}
