package jinsi.listener;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The recording of this JVM, told which tests run. Without jinsi's agent in the JVM there is none, and nothing happens. No method
 * throws.
 */
final class Recording {
    /** Defined by the agent, and by nobody else. */
    private static final String AGENT_CLASS = "java.lang.JinsiMark";
    private static final MethodHandle BEGIN = find("begin", int.class, String.class, String.class);
    private static final MethodHandle END = find("end", void.class, int.class);
    private static final MethodHandle FAILED = find("failed", void.class, int.class, Throwable.class);

    /** Numbers that the agent gave the running tests, by what their framework has as their identity. */
    private final Map<Object, Integer> running = new ConcurrentHashMap<>();

    /** The test {@code key} begins: {@code name} of class {@code testClass}. */
    void begin(Object key, String testClass, String name) {
        if (BEGIN != null) {
            try {
                running.put(key, (int) BEGIN.invokeExact(testClass, name));
            } catch (Throwable e) {
                // The test is not marked; that is no reason to disturb it.
            }
        }
    }

    /** The test {@code key} ends without a failure, or after it was told. */
    void end(Object key) {
        Integer number = running.remove(key);
        if (number != null) {
            try {
                END.invokeExact((int) number);
            } catch (Throwable e) {
                // as in begin
            }
        }
    }

    /**
     * What is {@code name} of class {@code testClass} ends by {@code thrown}. It need not have begun: set-up of a class, for example,
     * does not.
     */
    void failed(Object key, String testClass, String name, Throwable thrown) {
        if (!running.containsKey(key)) {
            begin(key, testClass, name);
        }
        Integer number = running.remove(key);
        if (number != null) {
            try {
                FAILED.invokeExact((int) number, thrown);
            } catch (Throwable e) {
                // as in begin
            }
        }
    }

    private static MethodHandle find(String name, Class<?> result, Class<?>... parameters) {
        try {
            Class<?> marks = Class.forName(AGENT_CLASS, true, null);
            return MethodHandles.publicLookup().findStatic(marks, name, MethodType.methodType(result, parameters));
        } catch (ReflectiveOperationException | LinkageError e) {
            return null;
        }
    }
}
