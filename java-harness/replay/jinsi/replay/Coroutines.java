package jinsi.replay;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.lang.reflect.UndeclaredThrowableException;

/**
 * Calls suspend functions of Kotlin as a written test does, in a coroutine that it waits for: {@code runBlocking} of the program's own library.
 */
final class Coroutines {
    /** The last parameter of a suspend function, and what it gives. */
    private static final String SUSPENDS = "Lkotlin/coroutines/Continuation;)Ljava/lang/Object;";

    private Coroutines() {
    }

    /** A call that lacks nothing but its last argument. */
    interface Call {
        Object with(Object continuation) throws ReflectiveOperationException;
    }

    /** Whether the interaction calls a suspend function, and passes nobody's continuation to it. */
    static boolean isWaitedFor(Interaction i) {
        boolean calls = i.op == Op.CALL || i.op == Op.CALL_STATIC;
        return calls && i.member.desc.endsWith(SUSPENDS)
                && i.args.get(i.args.size() - 1).kind == Value.Kind.NULL;
    }

    /**
     * Makes the call and waits for its end.
     *
     * @param loader that of the class that has the function
     * @throws InvocationTargetException what the function threw is its cause
     */
    static Object call(ClassLoader loader, Call call) throws ReflectiveOperationException {
        Class<?> function = named("kotlin.jvm.functions.Function2", loader);
        Class<?> context = named("kotlin.coroutines.CoroutineContext", loader);
        Object empty = named("kotlin.coroutines.EmptyCoroutineContext", loader).getField("INSTANCE").get(null);
        Method runBlocking = named("kotlinx.coroutines.BuildersKt", loader)
                .getMethod("runBlocking", context, function);
        Object block = Proxy.newProxyInstance(function.getClassLoader(), new Class<?>[] {function}, block(call));
        try {
            return runBlocking.invoke(null, empty, block);
        } catch (InvocationTargetException e) {
            // Kotlin declares no checked exceptions, and a proxy passes no other ones on.
            Throwable thrown = e.getCause();
            boolean isHidden = thrown instanceof UndeclaredThrowableException && thrown.getCause() != null;
            throw isHidden ? new InvocationTargetException(thrown.getCause()) : e;
        }
    }

    private static Class<?> named(String name, ClassLoader loader) throws ClassNotFoundException {
        return Class.forName(name, true, loader);
    }

    private static InvocationHandler block(Call call) {
        return (proxy, method, args) -> {
            switch (method.getName()) {
                case "invoke":
                    try {
                        return call.with(args[1]);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                case "equals":
                    return proxy == args[0];
                case "hashCode":
                    return System.identityHashCode(proxy);
                default:
                    return "the call of a suspend function";
            }
        };
    }
}
