package jinsi.replay;

import java.lang.invoke.CallSite;
import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;

/** Makes lambdas and method references as the class that made them does. */
final class Functions {
    /** Kinds of method handles (JVMS table 5.4.3.5-A). */
    private static final int INVOKE_STATIC = 6;
    private static final int INVOKE_SPECIAL = 7;
    private static final int NEW_INVOKE_SPECIAL = 8;

    private Functions() {
    }

    /**
     * Links and makes it.
     *
     * @throws ReflectiveOperationException if it cannot be linked here
     */
    static Object make(ObjectInfo.Function function, ReplayLoader loader, List<Object> captured)
            throws ReflectiveOperationException {
        Class<?> maker = loader.named(function.maker);
        // Only a class of the same module has all rights.
        MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(maker, loader.lookup());
        try {
            CallSite site = LambdaMetafactory.metafactory(lookup, function.method, type(function.factory, loader),
                    type(function.erased, loader), target(function, lookup, maker, loader),
                    type(function.instantiated, loader));
            return site.getTarget().invokeWithArguments(captured);
        } catch (ReflectiveOperationException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new ReflectiveOperationException(e);
        }
    }

    private static MethodHandle target(ObjectInfo.Function function, MethodHandles.Lookup lookup, Class<?> maker,
            ReplayLoader loader) throws ReflectiveOperationException {
        Class<?> owner = loader.named(function.target.owner);
        MethodType type = type(function.target.desc, loader);
        switch (function.kind) {
            case INVOKE_STATIC:
                return lookup.findStatic(owner, function.target.name, type);
            case NEW_INVOKE_SPECIAL:
                return lookup.findConstructor(owner, type);
            case INVOKE_SPECIAL:
                return lookup.findSpecial(owner, function.target.name, type, maker);
            default:
                return lookup.findVirtual(owner, function.target.name, type);
        }
    }

    private static MethodType type(String desc, ReplayLoader loader) {
        return MethodType.fromMethodDescriptorString(desc, loader);
    }
}
