package jinsi.replay;

import java.lang.annotation.Annotation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Finds members by their exact descriptors in the classes of one test, and makes them accessible. */
final class MemberLookup {
    private final ReplayLoader loader;
    private final Map<Member, AccessibleObject> found = new HashMap<>();
    private final Map<Member, Class<?>> results = new HashMap<>();
    private final Map<Class<?>, Boolean> hashing = new HashMap<>();

    MemberLookup(ReplayLoader loader) {
        this.loader = loader;
    }

    /**
     * The constructor.
     *
     * @throws Stop if there is none or it cannot be reached
     */
    Constructor<?> constructor(Member member) {
        AccessibleObject known = found.get(member);
        if (known == null) {
            for (Constructor<?> candidate : type(member).getDeclaredConstructors()) {
                if (hasParameters(member, candidate.getParameterTypes())) {
                    known = accessible(member, candidate);
                }
            }
            found.put(member, required(member, known));
        }
        return (Constructor<?>) known;
    }

    /**
     * The method; searched for in the owner, then in its superclasses and interfaces.
     *
     * @throws Stop if there is none or it cannot be reached
     */
    Method method(Member member) {
        AccessibleObject known = found.get(member);
        if (known == null) {
            Method declared = search(type(member), member, false);
            if (declared != null && !declared.trySetAccessible()) {
                // A JDK class that is not public: the same method, declared where everybody may call it.
                declared = search(type(member), member, true);
            }
            known = required(member, declared);
            found.put(member, known);
        }
        return (Method) known;
    }

    /**
     * Calls the method, as a class of the test's loader would.
     *
     * @param receiver {@code null} if the method is static
     * @throws InvocationTargetException what the method threw is its cause
     */
    Object call(Method method, Object receiver, Object[] args) throws ReflectiveOperationException {
        MethodHandle inside = calledFromInside(method);
        if (inside == null) {
            return method.invoke(receiver, args);
        }
        try {
            return (receiver == null ? inside : inside.bindTo(receiver)).invokeWithArguments(args);
        } catch (Throwable e) {
            throw new InvocationTargetException(e);
        }
    }

    /**
     * Whether a call of {@code method} on {@code receiver} would end in other code of the program that overrides it. What was recorded is the
     * method that ran: somebody called it as {@code super.method()}, or by {@code invokespecial} from a static method beside it.
     */
    boolean isOverridden(Method method, Object receiver) {
        Class<?> declaring = method.getDeclaringClass();
        int modifiers = method.getModifiers();
        if (declaring == receiver.getClass() || Modifier.isAbstract(modifiers) || Modifier.isStatic(modifiers)
                || Modifier.isPrivate(modifiers) || declaring.getClassLoader() != loader) {
            return false;
        }
        Member member = new Member(declaring.getName().replace('.', '/'), method.getName(),
                MethodType.methodType(method.getReturnType(), method.getParameterTypes()).toMethodDescriptorString());
        Method selected = search(receiver.getClass(), member, false);
        return selected != null && !selected.getDeclaringClass().isInterface()
                && selected.getDeclaringClass() != declaring && loader.isCode(selected.getDeclaringClass());
    }

    /**
     * Runs the code of this very method, whatever overrides it.
     *
     * @throws InvocationTargetException what the method threw is its cause
     */
    static Object callItself(Method method, Object receiver, Object[] args) throws ReflectiveOperationException {
        MethodHandle itself = in(method.getDeclaringClass()).unreflectSpecial(method, method.getDeclaringClass());
        try {
            return itself.asFixedArity().bindTo(receiver).invokeWithArguments(args);
        } catch (Throwable e) {
            throw new InvocationTargetException(e);
        }
    }

    /**
     * Of a method of the JDK that looks at who calls it, to find classes or resources for them, a handle with which a class of the test's
     * loader does; {@code null} if it does not matter, or everything but the program is answered.
     */
    private MethodHandle calledFromInside(Method method) throws IllegalAccessException {
        if (!loader.isForReal() || method.getDeclaringClass().getClassLoader() == loader || !asksForItsCaller(method)) {
            return null;
        }
        return loader.lookup().unreflect(method).asFixedArity();
    }

    private static boolean asksForItsCaller(Method method) {
        for (Annotation annotation : method.getDeclaredAnnotations()) {
            if (annotation.annotationType().getSimpleName().equals("CallerSensitive")) {
                return true;
            }
        }
        return false;
    }

    /**
     * The field; searched for in the owner, then in its superclasses and interfaces.
     *
     * @throws Stop if there is none or it cannot be reached
     */
    Field field(Member member) {
        AccessibleObject known = found.get(member);
        if (known == null) {
            Field declared = searchField(type(member), member);
            known = accessible(member, required(member, declared));
            found.put(member, known);
        }
        return (Field) known;
    }

    /**
     * The member whose text a reflective object has: {@code pkg.Class.name:descriptor}.
     *
     * @return the field, method or constructor; {@code null} if it does not exist here
     */
    AccessibleObject member(String text) {
        int colon = text.indexOf(':');
        int dot = colon < 0 ? -1 : text.lastIndexOf('.', colon);
        if (dot < 0) {
            return null;
        }
        Member member = new Member(text.substring(0, dot).replace('.', '/'), text.substring(dot + 1, colon),
                text.substring(colon + 1));
        Class<?> type;
        try {
            type = loader.named(member.owner);
        } catch (ClassNotFoundException e) {
            return null;
        }
        if (member.desc.charAt(0) != '(') {
            return searchField(type, member);
        }
        for (Constructor<?> candidate : type.getDeclaredConstructors()) {
            if (member.name.equals("<init>") && hasParameters(member, candidate.getParameterTypes())) {
                return candidate;
            }
        }
        return search(type, member, false);
    }

    /**
     * A handle of the member with this text, as {@link #member} has it.
     *
     * @param variable whether it is to be a variable handle, of a field; else a method handle
     * @return {@code null} if there is no such member here, or no such handle
     */
    Object handle(String text, boolean variable) {
        AccessibleObject member = member(text);
        try {
            if (variable && member instanceof Field) {
                return in(((Field) member).getDeclaringClass()).unreflectVarHandle((Field) member);
            }
            if (!variable && member instanceof Constructor) {
                return in(((Constructor<?>) member).getDeclaringClass())
                        .unreflectConstructor((Constructor<?>) member);
            }
            return !variable && member instanceof Method
                    ? in(((Method) member).getDeclaringClass()).unreflect((Method) member) : null;
        } catch (IllegalAccessException e) {
            return null;
        }
    }

    private static MethodHandles.Lookup in(Class<?> type) throws IllegalAccessException {
        return MethodHandles.privateLookupIn(type, MethodHandles.lookup());
    }

    /**
     * The class of what the member gives: a method's result, a field's type; {@code null} if it does not exist here.
     */
    Class<?> result(Member member) {
        if (!results.containsKey(member)) {
            Class<?> type;
            try {
                type = loader.described(member.result);
            } catch (ClassNotFoundException e) {
                type = null;
            }
            results.put(member, type);
        }
        return results.get(member);
    }

    private Method search(Class<?> type, Member member, boolean callable) {
        for (Method candidate : type.getDeclaredMethods()) {
            if (candidate.getName().equals(member.name) && hasParameters(member, candidate.getParameterTypes())
                    && describes(member.result, candidate.getReturnType())
                    && (!callable || Modifier.isPublic(type.getModifiers()) && candidate.trySetAccessible())) {
                return candidate;
            }
        }
        if (type.getSuperclass() != null) {
            Method inherited = search(type.getSuperclass(), member, callable);
            if (inherited != null) {
                return inherited;
            }
        }
        for (Class<?> parent : type.getInterfaces()) {
            Method inherited = search(parent, member, callable);
            if (inherited != null) {
                return inherited;
            }
        }
        return null;
    }

    private Field searchField(Class<?> type, Member member) {
        for (Field candidate : type.getDeclaredFields()) {
            if (candidate.getName().equals(member.name) && describes(member.desc, candidate.getType())) {
                return candidate;
            }
        }
        for (Class<?> parent : type.getInterfaces()) {
            Field inherited = searchField(parent, member);
            if (inherited != null) {
                return inherited;
            }
        }
        return type.getSuperclass() == null ? null : searchField(type.getSuperclass(), member);
    }

    /** Whether {@code type} itself declares {@code hashCode}. */
    boolean hashes(Class<?> type) {
        return hashing.computeIfAbsent(type, t -> {
            for (Method candidate : t.getDeclaredMethods()) {
                if (candidate.getName().equals("hashCode") && candidate.getParameterCount() == 0) {
                    return true;
                }
            }
            return false;
        });
    }

    /** Whether objects of {@code type}, which is no class of the session, have the hash code that {@code Object} gives them. */
    boolean isIdentityHashed(Class<?> type) {
        return hashing.computeIfAbsent(type, t -> {
            try {
                return t.getMethod("hashCode").getDeclaringClass() == Object.class;
            } catch (NoSuchMethodException e) {
                return false;
            }
        });
    }

    private static boolean hasParameters(Member member, Class<?>[] types) {
        List<String> wanted = member.parameters;
        if (wanted.size() != types.length) {
            return false;
        }
        for (int i = 0; i < types.length; i++) {
            if (!describes(wanted.get(i), types[i])) {
                return false;
            }
        }
        return true;
    }

    private static boolean describes(String descriptor, Class<?> type) {
        return descriptor.equals(descriptor(type));
    }

    /** The descriptor of a type (JVMS §4.3). */
    static String descriptor(Class<?> type) {
        if (type.isArray()) {
            return type.getName().replace('.', '/');
        }
        if (!type.isPrimitive()) {
            return "L" + type.getName().replace('.', '/') + ";";
        }
        switch (type.getName()) {
            case "boolean":
                return "Z";
            case "long":
                return "J";
            default:
                return type.getName().substring(0, 1).toUpperCase(Locale.ROOT);
        }
    }

    private Class<?> type(Member member) {
        return named(member.owner);
    }

    /**
     * The class with an internal name.
     *
     * @throws Stop if there is none
     */
    Class<?> named(String internal) {
        try {
            return loader.named(internal);
        } catch (ClassNotFoundException e) {
            throw Stop.unresolved(Why.HARNESS, "class " + internal + " does not exist here");
        }
    }

    private static <T extends AccessibleObject> T accessible(Member member, T candidate) {
        if (!candidate.trySetAccessible()) {
            throw Stop.unresolved(Why.HARNESS, member + " cannot be reached");
        }
        return candidate;
    }

    private static <T> T required(Member member, T candidate) {
        if (candidate == null) {
            throw Stop.unresolved(Why.HARNESS, member + " does not exist here or cannot be reached");
        }
        return candidate;
    }
}
