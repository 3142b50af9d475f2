package java.lang;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.concurrent.ConcurrentHashMap;
import jdk.internal.misc.Unsafe;

/**
 * Which members the JDK's reflective objects stand for. No code of the program runs in it, its class loaders' included: handles and
 * updaters are looked into, and nothing resolves the type of a field.
 */
final class JinsiNames {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** Where an object of a JDK class keeps what it stands for; negative where it has no such field. */
    private static final class Layout {
        final long owner;
        final long offset;
        final long type;
        final long base;
        final long inner;

        Layout(Class<?> handle) {
            long receiver = offsetOf(handle, "receiverType");
            owner = receiver >= 0 ? receiver : offsetOf(handle, "tclass");
            long at = offsetOf(handle, "fieldOffset");
            offset = at >= 0 ? at : offsetOf(handle, "offset");
            type = offsetOf(handle, "vclass");
            base = offsetOf(handle, "base");
            inner = offsetOf(handle, "target");
        }
    }

    private static final ClassValue<Layout> LAYOUTS = new ClassValue<>() {
        @Override
        protected Layout computeValue(Class<?> handle) {
            return new Layout(handle);
        }
    };

    /** Fields of a class, its superclasses' included, that handles stood for: by offset, doubled, and one more if static. */
    private static final ClassValue<ConcurrentHashMap<Long, Target>> TARGETS = new ClassValue<>() {
        @Override
        protected ConcurrentHashMap<Long, Target> computeValue(Class<?> owner) {
            return new ConcurrentHashMap<>();
        }
    };

    /** What Java 11 has in place of {@code Unsafe.getReference}; looked up when it is first wanted. */
    private static final class Java11 {
        static final Method GET_OBJECT = find();

        private static Method find() {
            try {
                return Unsafe.class.getMethod("getObject", Object.class, long.class);
            } catch (NoSuchMethodException e) {
                throw new InternalError(e);
            }
        }
    }

    private JinsiNames() {}

    /** The reference field at that offset of {@code object}. */
    static Object reference(Object object, long offset) {
        try {
            return U.getReference(object, offset);
        } catch (NoSuchMethodError old) {
            try {
                return Java11.GET_OBJECT.invoke(U, object, offset);
            } catch (ReflectiveOperationException e) {
                throw new InternalError(e);
            }
        }
    }

    /** A field that a handle stands for. */
    static final class Target {
        final Class<?> owner;
        final String name;
        final Class<?> type;
        final long offset;
        final boolean isStatic;
        private volatile int read;
        private volatile int write;

        Target(Class<?> owner, String name, Class<?> type, long offset, boolean isStatic) {
            this.owner = owner;
            this.name = name;
            this.type = type;
            this.offset = offset;
            this.isStatic = isStatic;
        }

        /** The site of accesses by handles. Racing threads may make two, which does no harm. */
        int site(boolean writes) {
            int known = writes ? write : read;
            if (known == 0) {
                known = JinsiReflection.site(this, writes);
                if (writes) {
                    write = known;
                } else {
                    read = known;
                }
            }
            return known;
        }
    }

    static void warmUp() {
        fields0(null, null, false);
    }

    /** Names of the fields that {@code type} itself declares with that descriptor, each followed by a slash. */
    private static native String fields0(Class<?> type, String descriptor, boolean isStatic);

    /** What the text event of a reflective object says, {@code pkg.Class.member:descriptor}; null for all other objects. */
    static String of(Object value) {
        String type = value.getClass().getName();
        if (!type.startsWith("java.lang.reflect.") && !type.startsWith("java.lang.invoke.")
            && !type.startsWith("java.util.concurrent.atomic.")) {
            return null;
        }
        try {
            return named(value);
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return null; // it stays without a name
        }
    }

    private static String named(Object value) {
        if (value instanceof Field) {
            Field field = (Field) value;
            return text(field.getDeclaringClass(), field.getName(), descriptor(field.getType()));
        }
        if (value instanceof Method) {
            Method method = (Method) value;
            return text(method.getDeclaringClass(), method.getName(),
                descriptor(method.getParameterTypes(), method.getReturnType()));
        }
        if (value instanceof Constructor) {
            Constructor<?> made = (Constructor<?>) value;
            return text(made.getDeclaringClass(), "<init>", descriptor(made.getParameterTypes(), void.class));
        }
        if (value instanceof MethodHandle) {
            return direct(value);
        }
        Target field = target(value);
        return field == null ? null : text(field.owner, field.name, descriptor(field.type));
    }

    private static String text(Class<?> owner, String name, String descriptor) {
        return new StringBuilder(64).append(owner.getName()).append('.').append(name).append(':').append(descriptor).toString();
    }

    /** The member of a direct method handle, as far as the handle has its name and type at hand. */
    private static String direct(Object handle) {
        long at = offsetOf(handle.getClass(), "member");
        Object member = at < 0 ? null : reference(handle, at);
        if (member == null) {
            return null;
        }
        Class<?> type = member.getClass();
        Object owner = reference(member, offsetOf(type, "clazz"));
        Object name = reference(member, offsetOf(type, "name"));
        Object shape = reference(member, offsetOf(type, "type"));
        if (!(owner instanceof Class) || !(name instanceof String)) {
            return null;
        }
        String descriptor;
        if (shape instanceof MethodType) {
            descriptor = ((MethodType) shape).toMethodDescriptorString();
        } else if (shape instanceof Class) {
            descriptor = descriptor((Class<?>) shape);
        } else if (shape instanceof String) {
            descriptor = (String) shape;
        } else {
            return null;
        }
        return text((Class<?>) owner, (String) name, descriptor);
    }

    /** The field that a VarHandle or field updater of the JDK's stands for, null if it is none's or not found. */
    static Target target(Object handle) {
        Layout layout = LAYOUTS.get(handle.getClass());
        boolean isHandle = handle instanceof VarHandle;
        if (layout.offset < 0) {
            // Handles of static fields whose class is not initialized hide the one they stand for.
            Object inner = isHandle && layout.inner >= 0 ? reference(handle, layout.inner) : null;
            return inner instanceof VarHandle && inner != handle ? target(inner) : null;
        }
        boolean isStatic = isHandle && layout.base >= 0;
        long from = isStatic ? layout.base : layout.owner;
        Object owner = from < 0 ? null : reference(handle, from);
        if (!(owner instanceof Class)) {
            return null;
        }
        long offset = U.getLong(handle, layout.offset);
        ConcurrentHashMap<Long, Target> known = TARGETS.get((Class<?>) owner);
        Long key = offset << 1 | (isStatic ? 1 : 0);
        Target target = known.get(key);
        if (target == null) {
            target = find((Class<?>) owner, fieldType(handle, layout), offset, isStatic);
            if (target != null) {
                known.put(key, target);
            }
        }
        return target;
    }

    private static Class<?> fieldType(Object handle, Layout layout) {
        if (handle instanceof VarHandle) {
            return ((VarHandle) handle).varType();
        }
        if (layout.type >= 0) {
            return (Class<?>) reference(handle, layout.type);
        }
        return handle instanceof java.util.concurrent.atomic.AtomicLongFieldUpdater ? long.class : int.class;
    }

    private static Target find(Class<?> owner, Class<?> type, long offset, boolean isStatic) {
        String descriptor = descriptor(type);
        for (Class<?> c = owner; c != null; c = c.getSuperclass()) {
            String names = fields0(c, descriptor, isStatic);
            if (names == null) {
                return null;
            }
            for (int from = 0, to; (to = names.indexOf('/', from)) >= 0; from = to + 1) {
                String name = names.substring(from, to);
                if (U.objectFieldOffset(c, name) == offset) {
                    return new Target(c, name.intern(), type, offset, isStatic);
                }
            }
        }
        return null;
    }

    /** Offset of the field that the JDK's {@code type} or a superclass declares under that name; -1 if none does. */
    private static long offsetOf(Class<?> type, String name) {
        for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
            if (JinsiShape.declares0(c, name)) {
                return U.objectFieldOffset(c, name);
            }
        }
        return -1;
    }

    private static String descriptor(Class<?>[] parameters, Class<?> result) {
        StringBuilder text = new StringBuilder(64).append('(');
        for (Class<?> parameter : parameters) {
            text.append(descriptor(parameter));
        }
        return text.append(')').append(descriptor(result)).toString();
    }

    /** The descriptor of a type (JVMS §4.3). */
    static String descriptor(Class<?> type) {
        if (type.isArray()) {
            return type.getName().replace('.', '/');
        }
        if (!type.isPrimitive()) {
            return new StringBuilder(64).append('L').append(type.getName().replace('.', '/')).append(';').toString();
        }
        if (type == void.class) {
            return "V";
        }
        return String.valueOf(JinsiContent.letter(type));
    }
}
