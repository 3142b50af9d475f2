package harm;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The ways in which a harmful member is reached. */
final class Ways {
    /** What a static initializer does. */
    static Canary pending;

    private Ways() {}

    /** The canary that calls the members of the JDK in this way, or plainly if the way is who calls the canary. */
    static Canary canary(String way, String name, Surroundings around) {
        switch (way) {
            case "reference":
                return new References(name, around);
            case "handle":
                return new Handles(name, around);
            case "reflection":
                return new Reflections(name, around);
            default:
                return new Direct(name, around);
        }
    }

    static void go(String way, Canary canary) throws Throwable {
        switch (way) {
            case "direct":
            case "reference":
            case "handle":
            case "reflection":
                canary.perform();
                break;
            case "lambda":
                Optional.of(canary).map(c -> unchecked(c::perform)).isPresent();
                break;
            case "proxy":
                proxy(canary).call();
                break;
            case "to-string":
                new StringBuilder("it is ").append(new Telling(canary)).length();
                break;
            case "initializer":
                pending = canary;
                canary.end(Initialized.RESULT);
                break;
            case "thread":
                thread(canary);
                break;
            case "pool":
                pool(canary);
                break;
            default:
                throw new IllegalArgumentException("no such way: " + way);
        }
    }

    /** Something that may throw anything. */
    interface Body {
        Object call() throws Throwable;
    }

    /** Its result; what it throws that is checked goes on in an exception that is not. */
    static Object unchecked(Body body) {
        try {
            return body.call();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static Callable<?> proxy(Canary canary) {
        InvocationHandler handler = (self, method, arguments) -> canary.perform();
        Class<?>[] interfaces = {Callable.class};
        return (Callable<?>) Proxy.newProxyInstance(Ways.class.getClassLoader(), interfaces, handler);
    }

    private static void thread(Canary canary) throws InterruptedException {
        Thread thread = new Thread(new Task(canary));
        thread.start();
        thread.join();
    }

    private static void pool(Canary canary) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        try {
            pool.submit(new Task(canary), canary).get();
        } finally {
            pool.shutdownNow();
        }
    }
}
