package redefined;

import java.io.InputStream;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The other agent: two threads redefine and two retransform the program's classes, one after the other, until the JVM ends. */
public final class Agent {
    static final AtomicInteger DONE = new AtomicInteger();
    /** HotSpot retransforms a class from memory that it has freed if somebody redefines the class at the same time. */
    private static final Map<Class<?>, Object> LOCKS = new ConcurrentHashMap<>();

    private Agent() {
    }

    public static void premain(String arguments, Instrumentation instrumentation) {
        for (int i = 0; i < 4; i++) {
            boolean redefines = i % 2 == 0;
            Thread thread = new Thread(() -> work(instrumentation, redefines));
            thread.setDaemon(true);
            thread.start();
        }
    }

    private static void work(Instrumentation instrumentation, boolean redefines) {
        // There are none any more when the JVM has ended.
        for (Class<?>[] types; (types = instrumentation.getAllLoadedClasses()) != null;) {
            for (Class<?> type : types) {
                if (type.getName().startsWith("redefined.") && type != Agent.class && !type.isHidden()) {
                    synchronized (LOCKS.computeIfAbsent(type, any -> new Object())) {
                        again(instrumentation, type, redefines);
                    }
                }
            }
        }
    }

    private static void again(Instrumentation instrumentation, Class<?> type, boolean redefines) {
        String file = type.getName().replace('.', '/') + ".class";
        try (InputStream in = Agent.class.getClassLoader().getResourceAsStream(file)) {
            if (redefines) {
                instrumentation.redefineClasses(new ClassDefinition(type, in.readAllBytes()));
            } else {
                instrumentation.retransformClasses(type);
            }
            DONE.incrementAndGet();
        } catch (Exception | LinkageError e) {
            System.out.println(type.getName() + ": " + e);
        }
    }
}
