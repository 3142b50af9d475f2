package jinsi.replay;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * What ordinary reflection cannot do: make an object without running a constructor, or with that of a superclass alone, and reach
 * private fields of the JDK's packages that are not opened. Found by name at run time, so that nothing here depends
 * on the compiler's view of {@code sun.misc}.
 */
final class RawAccess {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    private static final MethodHandle ALLOCATE;
    private static final MethodHandle OFFSET;
    private static final MethodHandle GET;
    private static final MethodHandle PUT;
    private static final MethodHandle PUT_INT;
    private static final Object UNSAFE;
    private static final MethodHandle IS_NEW;
    private static final Method INVOKE_DEFAULT = invokeDefault();
    private static final Method RESTORED = restored();

    static {
        try {
            Class<?> type = Class.forName("sun.misc.Unsafe");
            Field field = type.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            Object unsafe = field.get(null);
            UNSAFE = unsafe;
            ALLOCATE = LOOKUP.bind(unsafe, "allocateInstance", MethodType.methodType(Object.class, Class.class));
            OFFSET = LOOKUP.bind(unsafe, "objectFieldOffset", MethodType.methodType(long.class, Field.class));
            GET = LOOKUP.bind(unsafe, "getObject", MethodType.methodType(Object.class, Object.class, long.class));
            PUT = LOOKUP.bind(unsafe, "putObject",
                    MethodType.methodType(void.class, Object.class, long.class, Object.class));
            PUT_INT = LOOKUP.bind(unsafe, "putInt",
                    MethodType.methodType(void.class, Object.class, long.class, int.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        MethodHandle isNew;
        try {
            isNew = LOOKUP.bind(UNSAFE, "shouldBeInitialized", MethodType.methodType(boolean.class, Class.class));
        } catch (ReflectiveOperationException e) {
            isNew = null;
        }
        IS_NEW = isNew;
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

    /**
     * Makes an instance of {@code type} as deserialization does: of constructors, that of a superclass runs and no other.
     *
     * @throws InvocationTargetException what the constructor threw is its cause
     */
    static Object restore(Class<?> type, Constructor<?> constructor, Object[] args)
            throws ReflectiveOperationException {
        Class<?> factory = Class.forName("sun.reflect.ReflectionFactory");
        Object maker = factory.getMethod("getReflectionFactory").invoke(null);
        Constructor<?> own = (Constructor<?>) factory
                .getMethod("newConstructorForSerialization", Class.class, Constructor.class)
                .invoke(maker, type, constructor);
        Object made = own.newInstance(args);
        if (RESTORED != null) {
            RESTORED.invoke(null, made);
        }
        return made;
    }

    /** What a recorder of this JVM wants to be informed of such objects; {@code null} if there is none. */
    private static Method restored() {
        try {
            return Class.forName("java.lang.JinsiProbe").getMethod("restored", Object.class);
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    /** A recorder of this JVM is informed that replay has written the static fields of a class. */
    static void tellStatics(Class<?> type) {
        try {
            Class.forName("java.lang.JinsiProbe").getMethod("statics", Class.class).invoke(null, type);
        } catch (ReflectiveOperationException e) {
            // There is none.
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

    /** Whether a class is surely not initialized yet. JDKs from 22 on do not say. */
    static boolean isNew(Class<?> type) {
        try {
            return IS_NEW != null && (boolean) IS_NEW.invoke(type);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
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
            return get(declaring.getDeclaredField(name), target);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The value of an instance field of reference type, which is the JDK's. */
    static Object get(Field field, Object target) {
        try {
            if (field.trySetAccessible()) {
                return field.get(target);
            }
            return GET.invoke(target, offset(field));
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** What an accessible instance field holds. Not by {@link Field#get}, as {@link #setter} tells. */
    static Object read(Field field, Object target) {
        try {
            return LOOKUP.unreflectGetter(field).invoke(target);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** What an instance field holds, of any type, whoever may access it. */
    static Object peek(Field field, Object target) {
        try {
            if (field.trySetAccessible()) {
                return read(field, target);
            }
            Class<?> type = field.getType();
            if (!type.isPrimitive()) {
                return GET.invoke(target, offset(field));
            }
            String name = "get" + Character.toUpperCase(type.getName().charAt(0)) + type.getName().substring(1);
            MethodHandle get = LOOKUP.bind(UNSAFE, name, MethodType.methodType(type, Object.class, long.class));
            return get.invoke(target, offset(field));
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** What an accessible static field holds. Its class is initialized for that, if it is not yet. */
    static Object readStatic(Field field) {
        try {
            return LOOKUP.unreflectGetter(field).invoke();
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
        if (value != null && !type.isPrimitive() && !type.isInstance(value)) {
            throw new IllegalArgumentException(type.getName() + " is not " + value.getClass().getName());
        }
        MethodHandle setter = setter(field);
        try {
            setter.invoke(target, value);
        } catch (ClassCastException | NullPointerException e) {
            throw new IllegalArgumentException(e);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** What writes a field. Not {@link Field#set}: a recorder that watches it would take that for the program's doing. */
    private static MethodHandle setter(Field field) throws ReflectiveOperationException {
        if (field.trySetAccessible()) {
            return LOOKUP.unreflectSetter(field);
        }
        Class<?> type = field.getType();
        MethodHandle put = PUT;
        if (type.isPrimitive()) {
            String name = "put" + Character.toUpperCase(type.getName().charAt(0)) + type.getName().substring(1);
            put = LOOKUP.bind(UNSAFE, name, MethodType.methodType(void.class, Object.class, long.class, type));
        }
        return MethodHandles.insertArguments(put, 1, offset(field));
    }

    /**
     * Has the JDK's immutable sets and maps iterate as those of the JVM that was recorded, where they iterate in an order that a JVM draws
     * when it starts. What the fields are called is the JDK's business; without them nothing happens.
     */
    static void salt(long salt) {
        try {
            Class<?> type = Class.forName("java.util.ImmutableCollections");
            setStatic(type.getDeclaredField("SALT32L"), long.class, salt);
            setStatic(type.getDeclaredField("REVERSE"), boolean.class, (salt & 1) == 0);
        } catch (ReflectiveOperationException e) {
            // Another JDK's order is another one in any case.
        }
    }

    private static void setStatic(Field field, Class<?> type, Object value) throws ReflectiveOperationException {
        String kind = Character.toUpperCase(type.getName().charAt(0)) + type.getName().substring(1);
        setStatic(field, type, kind, value);
    }

    private static void setStatic(Field field, Class<?> type, String kind, Object value)
            throws ReflectiveOperationException {
        MethodHandle put = LOOKUP.bind(UNSAFE, "put" + kind,
                MethodType.methodType(void.class, Object.class, long.class, type));
        MethodHandle base = LOOKUP.bind(UNSAFE, "staticFieldBase", MethodType.methodType(Object.class, Field.class));
        MethodHandle at = LOOKUP.bind(UNSAFE, "staticFieldOffset", MethodType.methodType(long.class, Field.class));
        try {
            put.invoke(base.invoke(field), (long) at.invoke(field), value);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Writes a static field, a final one too. Its class is initialized before.
     *
     * @throws ReflectiveOperationException if there is no such field, or it is of another type
     */
    static void setStaticField(Class<?> declaring, String name, Object value) throws ReflectiveOperationException {
        Field field = declaring.getDeclaredField(name);
        Class<?> type = field.getType();
        if (!type.isPrimitive()) {
            if (value != null && !type.isInstance(value)) {
                throw new NoSuchFieldException(name);
            }
            setStatic(field, Object.class, "Object", value);
        } else {
            setStatic(field, type, value);
        }
    }

    private static long offset(Field field) {
        try {
            return (long) OFFSET.invokeExact(field);
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
                PUT_INT.invoke(target, offset(field), (int) (Integer) value);
            } else {
                PUT.invoke(target, offset(field), value);
            }
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
