package jinsi.replay;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * The two things that ordinary reflection cannot do: make an object without running a constructor, and reach private
 * fields of {@code java.lang} where that package is not opened. Found by name at run time, so that nothing here depends
 * on the compiler's view of {@code sun.misc}.
 */
final class RawAccess {
    private static final MethodHandle ALLOCATE;
    private static final MethodHandle OFFSET;
    private static final MethodHandle GET;
    private static final MethodHandle PUT;
    private static final MethodHandle PUT_INT;
    private static final Object UNSAFE;
    private static final Method INVOKE_DEFAULT = invokeDefault();

    static {
        try {
            Class<?> type = Class.forName("sun.misc.Unsafe");
            Field field = type.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            Object unsafe = field.get(null);
            UNSAFE = unsafe;
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            ALLOCATE = lookup.bind(unsafe, "allocateInstance", MethodType.methodType(Object.class, Class.class));
            OFFSET = lookup.bind(unsafe, "objectFieldOffset", MethodType.methodType(long.class, Field.class));
            GET = lookup.bind(unsafe, "getObject", MethodType.methodType(Object.class, Object.class, long.class));
            PUT = lookup.bind(unsafe, "putObject",
                    MethodType.methodType(void.class, Object.class, long.class, Object.class));
            PUT_INT = lookup.bind(unsafe, "putInt",
                    MethodType.methodType(void.class, Object.class, long.class, int.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private RawAccess() {
    }

    /**
     * Makes an instance of {@code type} without running a constructor.
     *
     * @throws InstantiationException if the class is abstract, an interface, an array or primitive
     */
    static Object allocate(Class<?> type) throws InstantiationException {
        if (type.isPrimitive() || type.isArray() || type == Class.class) {
            throw new InstantiationException(type.getName());
        }
        try {
            return ALLOCATE.invokeExact(type);
        } catch (InstantiationException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static Method invokeDefault() {
        try {
            return InvocationHandler.class.getMethod("invokeDefault", Object.class, Method.class, Object[].class);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    /** Whether this JVM lets a proxy run the default methods of its interfaces: since Java 16. */
    static boolean runsDefaults() {
        return INVOKE_DEFAULT != null;
    }

    /** Runs a default method on a proxy; throws what it throws. */
    static Object runDefault(Object proxy, Method method, Object[] args) {
        try {
            return INVOKE_DEFAULT.invoke(null, proxy, method, args);
        } catch (InvocationTargetException e) {
            throw Throwables.sneaky(e.getCause());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether private fields of {@code java.lang} can be reached by ordinary reflection. */
    static boolean isOpen() {
        return Throwable.class.getModule().isOpen("java.lang", RawAccess.class.getModule());
    }

    /** The value of an instance field of reference type. */
    static Object get(Class<?> declaring, String name, Object target) {
        try {
            Field field = declaring.getDeclaredField(name);
            if (field.trySetAccessible()) {
                return field.get(target);
            }
            return GET.invoke(target, (long) OFFSET.invoke(field));
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Writes an instance field of any type, final ones too.
     *
     * @throws ReflectiveOperationException if {@code declaring} has no such field, or this JVM does not let it be written
     * @throws IllegalArgumentException if the value is of another type
     */
    static void setField(Class<?> declaring, String name, Object target, Object value)
            throws ReflectiveOperationException {
        Field field = declaring.getDeclaredField(name);
        Class<?> type = field.getType();
        if (field.trySetAccessible()) {
            field.set(target, value);
        } else if (type.isPrimitive()) {
            String put = "put" + Character.toUpperCase(type.getName().charAt(0)) + type.getName().substring(1);
            MethodType shape = MethodType.methodType(void.class, Object.class, long.class, type);
            invoke(MethodHandles.lookup().bind(UNSAFE, put, shape), target, field, value);
        } else if (value == null || type.isInstance(value)) {
            invoke(PUT, target, field, value);
        } else {
            throw new IllegalArgumentException(type.getName() + " is not " + value.getClass().getName());
        }
    }

    private static void invoke(MethodHandle put, Object target, Field field, Object value) {
        try {
            put.invoke(target, (long) OFFSET.invoke(field), value);
        } catch (ClassCastException | NullPointerException e) {
            throw new IllegalArgumentException(e);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Writes an instance field of reference type or of type {@code int}. */
    static void set(Class<?> declaring, String name, Object target, Object value) {
        try {
            Field field = declaring.getDeclaredField(name);
            if (field.trySetAccessible()) {
                field.set(target, value);
            } else if (field.getType() == int.class) {
                PUT_INT.invoke(target, (long) OFFSET.invoke(field), (int) (Integer) value);
            } else {
                PUT.invoke(target, (long) OFFSET.invoke(field), value);
            }
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
