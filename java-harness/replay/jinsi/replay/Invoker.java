package jinsi.replay;

import java.io.ObjectStreamClass;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** Executes an incoming interaction: finds receiver and arguments, and calls or accesses the member by reflection. */
final class Invoker {
    private final ObjectMaker maker;
    private final MemberLookup lookup;

    Invoker(ObjectMaker maker, MemberLookup lookup) {
        this.maker = maker;
        this.lookup = lookup;
    }

    /**
     * Executes {@code i}.
     *
     * @return what it returned, the new object for constructors, {@code null} for writes
     * @throws Stop if it cannot be executed
     * @throws Throwable what the executed code threw
     */
    Object perform(Interaction i) throws Throwable {
        Object receiver = receiver(i);
        Object[] args = arguments(i);
        try {
            switch (i.op) {
                case CONSTRUCT:
                    return constructed(i, args);
                case CALL:
                case CALL_STATIC:
                    Method method = lookup.method(i.member);
                    if (maker.runsForReal() && Coroutines.isWaitedFor(i)) {
                        return Coroutines.call(method.getDeclaringClass().getClassLoader(), continuation -> {
                            args[args.length - 1] = continuation;
                            return called(method, receiver, args);
                        });
                    }
                    return called(method, receiver, args);
                case GET_STATIC:
                    if (isSerialVersion(i.member)) {
                        return ObjectStreamClass.lookupAny(lookup.field(i.member).getDeclaringClass())
                                .getSerialVersionUID();
                    }
                    return lookup.field(i.member).get(receiver);
                case GET_FIELD:
                    return lookup.field(i.member).get(receiver);
                default:
                    Field field = lookup.field(i.member);
                    field.set(receiver, args[0]);
                    return null;
            }
        } catch (InvocationTargetException e) {
            throw e.getCause();
        } catch (IllegalArgumentException | ReflectiveOperationException | ArrayIndexOutOfBoundsException e) {
            throw Stop.unresolved(Why.HARNESS, "cannot execute " + i + ": " + e);
        }
    }

    private Object called(Method method, Object receiver, Object[] args) throws ReflectiveOperationException {
        return receiver != null && lookup.isOverridden(method, receiver) ? MemberLookup.callItself(method, receiver, args)
                : lookup.call(method, receiver, args);
    }

    /** Of an object of a subclass, only this constructor was run: it was deserialized. */
    private Object constructed(Interaction i, Object[] args) throws ReflectiveOperationException {
        Constructor<?> constructor = lookup.constructor(i.member);
        Value made = i.outcome.value;
        String type = made == null || made.kind != Value.Kind.OBJECT ? i.member.owner : maker.classOf(made.id);
        return type.equals(i.member.owner) ? construct(constructor, args)
                : RawAccess.restore(lookup.named(type), constructor, args);
    }

    /**
     * Whether this is what serialization reads of a class when it meets that the first time. It does so again here, and knows the class
     * from then on.
     */
    private static boolean isSerialVersion(Member member) {
        return member.name.equals("serialVersionUID") && member.desc.equals("J");
    }

    /**
     * Makes an object, a constant of an enum too.
     *
     * @throws InvocationTargetException what the constructor threw is its cause
     */
    static Object construct(Constructor<?> constructor, Object[] args) throws ReflectiveOperationException {
        return TextValues.enumType(constructor.getDeclaringClass()) == null
                ? constructor.newInstance(args) : constant(constructor, args);
    }

    /** Reflection makes no constants of enums; a method handle does (the class initializer may be the environment's). */
    private static Object constant(Constructor<?> constructor, Object[] args) throws ReflectiveOperationException {
        MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(constructor.getDeclaringClass(),
                MethodHandles.lookup());
        MethodType type = MethodType.methodType(void.class, constructor.getParameterTypes());
        MethodHandle handle = lookup.findConstructor(constructor.getDeclaringClass(), type)
                .asType(MethodType.genericMethodType(args.length)).asSpreader(Object[].class, args.length);
        try {
            return handle.invoke(args);
        } catch (Throwable e) {
            throw new InvocationTargetException(e);
        }
    }

    private Object receiver(Interaction i) {
        if (!i.op.hasReceiver()) {
            return null;
        }
        try {
            Object receiver = maker.resolve(i.receiver);
            if (receiver != null) {
                return receiver;
            }
            throw Stop.unresolved(Why.RECEIVER_MISSING, "receiver of " + i + " is null");
        } catch (MissingObjectException e) {
            throw Stop.unresolved(Why.RECEIVER_MISSING, "receiver of " + i + ": " + e.getMessage());
        }
    }

    private Object[] arguments(Interaction i) {
        Object[] args = new Object[i.args.size()];
        for (int k = 0; k < args.length; k++) {
            try {
                args[k] = maker.resolve(i.args.get(k));
            } catch (MissingObjectException e) {
                throw Stop.unresolved(Why.ARGUMENT_MISSING, "argument " + k + " of " + i + ": " + e.getMessage());
            }
        }
        return args;
    }
}
