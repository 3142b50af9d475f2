package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;

/**
 * Order between the threads of a recording.
 *
 * <p>One counter of the process. Before something that other threads may wait for or look at (a <em>release</em>: leaving a monitor,
 * writing a volatile field, calling code that may do either) a thread draws the counter's next value; behind something that may have
 * waited for or looked at other threads (an <em>acquire</em>) it looks at the counter. Each writes what it saw into the thread's
 * stream, as an Order event, if it is news there. If one happens before the other, the acquire sees at least the value that the
 * release drew; so sorting the streams' stretches by these values, releases first, gives one order that contradicts no
 * happens-before edge (JLS §17.4.5) between the recorded events.
 *
 * <p>A release draws nothing if no other thread has drawn since this thread did: its stretch then simply goes on, and still comes
 * before that of any thread that looks at the counter later. While only one thread is recorded nothing is drawn or looked at.
 *
 * <p>Like all probes this runs no code that could be observed, and no lock or wait is in it.
 */
final class JinsiOrder {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** Counter and number of threads, each alone on its cache lines. */
    private static final long LINES = 128;
    private static final long COUNTER = LINES;
    private static final long THREADS = 2 * LINES;
    private static final long SIZE = 4 * LINES;

    /** Low bit of a stamp: looked at, not drawn. */
    private static final long ACQUIRE = 1;

    /**
     * Has more than one thread been recorded? Read without order: a thread that has synchronized with another one since that one
     * began sees it, and no other needs it.
     */
    private static boolean shared;

    private static long base;

    private JinsiOrder() {}

    static void init() {
        base = U.allocateMemory(SIZE);
        U.putLong(base + THREADS, 0);
        U.putLong(base + COUNTER, 1);
    }

    /** A thread has got its first buffer. */
    static void opened() {
        if (U.getAndAddLong(null, base + THREADS, 1) > 0) {
            shared = true;
        }
    }

    static boolean shared() {
        return shared;
    }

    /** The stamp of a release whose thread wrote {@code last} last; the same if nothing need be written. */
    static long drawn(long last) {
        long counter = base + COUNTER;
        if ((last & ACQUIRE) == 0 && last >> 1 == U.getLongVolatile(null, counter)) {
            return last;
        }
        return U.getAndAddLong(null, counter, 1) + 1 << 1;
    }

    /** The stamp of an acquire whose thread wrote {@code last} last; the same if nothing need be written. */
    static long seen(long last) {
        long value = U.getLongVolatile(null, base + COUNTER);
        return value == last >> 1 ? last : value << 1 | ACQUIRE;
    }

    /** Do methods of the object's class, unless they call back, neither wait for other threads nor let them go on? */
    @DontInline
    static boolean quiet(Object receiver) {
        return receiver == null || QUIET.get(receiver.getClass());
    }

    /**
     * The JDK's plain classes, and those whose code is recorded down to {@code Object}. Which they are, the agent
     * knows, because it treats calls of static methods the same.
     */
    private static final ClassValue<Boolean> QUIET = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            if (type.isArray()) {
                return true;
            }
            if (type.getClassLoader() == null) {
                return JinsiProbe.quiet0(type.getName(), true);
            }
            for (Class<?> c = type; c != Object.class; c = c.getSuperclass()) {
                if (!JinsiProbe.quiet0(c.getName(), false)) {
                    return false;
                }
            }
            return true;
        }
    };
}
