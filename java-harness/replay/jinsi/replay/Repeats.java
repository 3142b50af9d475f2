package jinsi.replay;

import java.io.DataInputStream;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Makes objects as the recorded run made them: repeats the calls by which it made and changed them, and sees that what comes of each is what
 * came of it there. What came out otherwise is broken.
 */
final class Repeats {
    private static final int FILL = 0;
    private static final int NEW = 0;
    private static final int STATIC = 1;
    private static final int SPECIAL = 3;
    private static final int FIELD = 4;
    private static final int SUPER = 5;
    private static final int RETURNED = 1;
    private static final int THREW = 2;

    private final ObjectGraph graph;
    private final ClassLoader loader;
    private final Map<String, MethodHandle> handles = new HashMap<>();

    Repeats(ObjectGraph graph, ClassLoader loader) {
        this.graph = graph;
        this.loader = loader;
    }

    /** Repeats all. */
    void run(DataInputStream in) throws IOException {
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            if (in.readUnsignedByte() == FILL) {
                fill(in);
            } else {
                new Op(in).run();
            }
        }
    }

    private void fill(DataInputStream in) throws IOException {
        int number = in.readInt();
        Object array = graph.get(number);
        int length = in.readInt();
        for (int i = 0; i < length; i++) {
            Object value = graph.readValue(in);
            if (value instanceof ObjectGraph.Unborn) {
                graph.breaks(number, "it needs a " + graph.name(((ObjectGraph.Unborn) value).number));
            } else if (array != null) {
                try {
                    Array.set(array, i, value);
                } catch (IllegalArgumentException e) {
                    graph.breaks(number, "it cannot hold this");
                }
            }
        }
    }

    /** A call. */
    private final class Op {
        private final int how;
        private final String owner;
        private final String caller;
        private final String name;
        private final String desc;
        private final Object[] given;
        private final int came;
        private final Object expected;

        Op(DataInputStream in) throws IOException {
            how = in.readUnsignedByte();
            owner = ObjectGraph.readText(in);
            caller = ObjectGraph.readText(in);
            name = ObjectGraph.readText(in);
            desc = ObjectGraph.readText(in);
            given = new Object[in.readInt()];
            for (int i = 0; i < given.length; i++) {
                given[i] = graph.readValue(in);
            }
            came = in.readUnsignedByte();
            expected = came == RETURNED ? graph.readValue(in) : null;
        }

        void run() {
            for (Object value : given) {
                if (value instanceof ObjectGraph.Unborn) {
                    breaks("it needs a " + graph.name(((ObjectGraph.Unborn) value).number));
                    return;
                }
                int number = graph.numberOf(value);
                if (number >= 0 && graph.isBroken(number)) {
                    breaks("it needs a " + graph.name(number));
                    return;
                }
            }
            Object result;
            try {
                result = call();
            } catch (Throwable e) {
                if (came != THREW) {
                    breaks(name + " threw " + e);
                }
                return;
            }
            if (came == THREW) {
                breaks(name + " did not throw");
            } else if (came == RETURNED) {
                compare(result);
            }
        }

        private Object call() throws Throwable {
            if (how == SUPER) {
                Class<?> type = graph.type(graph.name(((ObjectGraph.Unborn) expected).number));
                MethodType declared = MethodType.fromMethodDescriptorString(desc, loader);
                Constructor<?> constructor = graph.type(owner).getDeclaredConstructor(declared.parameterArray());
                return RawAccess.restore(type, constructor, given);
            }
            if (owner.startsWith("[") && name.equals("clone")) {
                int length = Array.getLength(given[0]);
                Object copy = Array.newInstance(given[0].getClass().getComponentType(), length);
                System.arraycopy(given[0], 0, copy, 0, length);
                return copy;
            }
            return handle().invokeWithArguments(Arrays.asList(given));
        }

        private MethodHandle handle() throws ReflectiveOperationException {
            String key = how + " " + owner + " " + name + " " + desc + (how == SPECIAL ? caller : "");
            MethodHandle known = handles.get(key);
            if (known == null) {
                known = find().asFixedArity();
                handles.put(key, known);
            }
            return known;
        }

        private MethodHandle find() throws ReflectiveOperationException {
            Class<?> type = graph.type(owner);
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            if (how == FIELD) {
                return lookup.unreflectGetter(accessible(field(type)));
            }
            MethodType declared = MethodType.fromMethodDescriptorString(desc, loader);
            if (how == NEW) {
                return lookup.unreflectConstructor(accessible(type.getDeclaredConstructor(declared.parameterArray())));
            }
            if (how == SPECIAL) {
                Class<?> by = graph.type(caller);
                MethodHandles.Lookup own = MethodHandles.privateLookupIn(by, lookup);
                return own.findSpecial(type, name, declared, by);
            }
            return lookup.unreflect(accessible(method(type, declared)));
        }

        private Field field(Class<?> type) throws NoSuchFieldException {
            for (Class<?> at = type; at != null; at = at.getSuperclass()) {
                for (Field field : at.getDeclaredFields()) {
                    if (field.getName().equals(name)) {
                        return field;
                    }
                }
            }
            return type.getField(name);
        }

        private Method method(Class<?> type, MethodType declared) throws NoSuchMethodException {
            for (Method method : type.getMethods()) {
                if (is(method, declared) && Modifier.isPublic(method.getDeclaringClass().getModifiers())) {
                    return method;
                }
            }
            for (Class<?> at = type; at != null; at = at.getSuperclass()) {
                for (Method method : at.getDeclaredMethods()) {
                    if (is(method, declared)) {
                        return method;
                    }
                }
            }
            if (type.isInterface()) {
                return method(Object.class, declared);
            }
            throw new NoSuchMethodException(owner + "." + name);
        }

        private boolean is(Method method, MethodType declared) {
            return method.getName().equals(name) && method.getReturnType() == declared.returnType()
                    && Modifier.isStatic(method.getModifiers()) == (how == STATIC)
                    && Arrays.equals(method.getParameterTypes(), declared.parameterArray());
        }

        private <T extends AccessibleObject & Member> T accessible(T member) {
            boolean open = Modifier.isPublic(member.getModifiers())
                    && Modifier.isPublic(member.getDeclaringClass().getModifiers());
            if (!open) {
                member.trySetAccessible();
            }
            return member;
        }

        /** Is what came of it what came of it in the recorded run? What that run met first becomes known here. */
        private void compare(Object result) {
            if (expected instanceof ObjectGraph.Unborn) {
                int number = ((ObjectGraph.Unborn) expected).number;
                String wanted = graph.name(number);
                boolean fits = result != null && result.getClass().getName().equals(wanted);
                if (!fits || graph.numberOf(result) >= 0) {
                    breaks(name + " gave " + (fits ? "another one" : said(result)));
                } else {
                    graph.put(number, result);
                }
                return;
            }
            int number = expected == null ? -1 : graph.numberOf(expected);
            boolean isText = number >= 0 && graph.isText(number);
            boolean same = number < 0 || isText ? Objects.equals(result, expected) : result == expected;
            boolean isArray = expected != null && expected.getClass().isArray() && result != null;
            if (!same && !(isArray && result.getClass() == expected.getClass())) {
                breaks(name + " gave " + said(result) + " and not " + said(expected));
            }
        }

        private String said(Object value) {
            boolean isSimple = value == null || value instanceof String || value instanceof Number
                    || value instanceof Boolean || value instanceof Character;
            String text = isSimple ? String.valueOf(value) : "a " + value.getClass().getName();
            return text.length() > 40 ? text.substring(0, 40) + "…" : text;
        }

        /** What is of the JDK and took part is not what it was. */
        private void breaks(String why) {
            if (expected instanceof ObjectGraph.Unborn) {
                graph.breaks(((ObjectGraph.Unborn) expected).number, why);
            }
            for (Object value : given) {
                int number = value instanceof ObjectGraph.Unborn
                        ? ((ObjectGraph.Unborn) value).number : graph.numberOf(value);
                if (number >= 0 && graph.isMade(number)) {
                    graph.breaks(number, why);
                }
            }
        }
    }
}
