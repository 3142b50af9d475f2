package java.lang;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
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
 * <p>Each says, too, how often the thread has <em>met</em> others since the last one: where observed code itself may wait, because it
 * enters a monitor, accesses a volatile field of its class, or calls a natural object that threads may share. A replay, which has no
 * other sign of that, counts these, and so finds the place.
 *
 * <p>A release draws nothing if no other thread has drawn since this thread did: its stretch then simply goes on, and still comes
 * before that of any thread that looks at the counter later. While only one thread is recorded nothing is drawn or looked at.
 *
 * <p>Like all probes this runs no code that could be observed, and no lock or wait is in it but for a short one before calls of shared
 * objects ({@link #beginCall}).
 */
final class JinsiOrder {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** Counter and number of threads, each alone on its cache lines; beside the counter who calls a shared object, for who does draws, too. */
    private static final long LINES = 128;
    private static final long COUNTER = LINES;
    private static final long THREADS = 2 * LINES;
    private static final long CALLING = COUNTER + Long.BYTES;
    private static final long SIZE = 4 * LINES;

    /** Looks at {@link #CALLING} that take no time to speak of. */
    private static final int SPINS = 200;
    /** So long a thread looks further before it goes on regardless, in nanoseconds: others may have to give up a processor first. */
    private static final long PATIENCE = 20_000_000;

    // Who calls a shared object: the thread's number and one, and how many such calls are within the outermost one.
    private static final long DEPTH = 1L << 40;
    private static final long WHO = DEPTH - 1;

    /** Low bit of a stamp: looked at, not drawn. */
    private static final long ACQUIRE = 1;

    // A thread's word: its last stamp, a bit that is unused there, and how often it has met others since. Its Order events have
    // the same layout, with one more than that, and the bit for what is seen at a meeting itself.
    private static final int MET_BIT = JinsiRaw.MET_BIT;
    private static final int MEETINGS = JinsiRaw.MEETINGS_BIT;
    private static final long STAMP = (1L << MET_BIT) - 1;
    /** From here on nobody counts. */
    private static final long MANY = (1L << Long.SIZE - MEETINGS) - 2;

    /**
     * Has more than one thread been recorded? Read without order: a thread that has synchronized with another one since that one
     * began sees it, and no other needs it.
     */
    private static boolean shared;

    /** Is each meeting reported by an event of its own? So it is where a replay of several threads is recorded. */
    static final boolean EACH = Boolean.getBoolean("jinsi.replay.meetings");

    private static long base;

    private JinsiOrder() {}

    static void init() {
        base = U.allocateMemory(SIZE);
        U.putLong(base + THREADS, 0);
        U.putLong(base + CALLING, 0);
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

    /** The stamp of a release whose thread has {@code word}; that of the word if nothing need be written. */
    static long drawn(long word) {
        long last = word & STAMP;
        long counter = base + COUNTER;
        if ((last & ACQUIRE) == 0 && last >> 1 == U.getLongVolatile(null, counter)) {
            return last;
        }
        return U.getAndAddLong(null, counter, 1) + 1 << 1;
    }

    /** The stamp of an acquire whose thread has {@code word}; that of the word if nothing need be written. */
    static long seen(long word) {
        long last = word & STAMP;
        long value = U.getLongVolatile(null, base + COUNTER);
        return value == last >> 1 ? last : value << 1 | ACQUIRE;
    }

    /** The stamp in a thread's {@code word}. */
    static long last(long word) {
        return word & STAMP;
    }

    /** Is {@code stamp} the last one of the thread that has {@code word}? */
    static boolean isLast(long word, long stamp) {
        return (word & STAMP) == stamp;
    }

    /** The word of a thread that has met others once more. */
    static long met(long word) {
        return word >>> MEETINGS < MANY ? word + (1L << MEETINGS) : word;
    }

    /** What the Order event of {@code stamp} says, of a thread that has {@code word} until then. */
    static long reported(long word, long stamp, boolean atMeeting) {
        return (word >>> MEETINGS) + 1 << MEETINGS | (atMeeting ? 1L << MET_BIT : 0) | stamp;
    }

    /**
     * The thread {@code tid} is going to call a natural object that others may call, too: the order in which threads draw has to be that in which
     * their calls do what they do, so one waits while another is between the two. But not for long, for what that one calls may take its time, or
     * be waiting for this thread; then nobody knows which was first. It waits no longer either once that one has called its environment.
     */
    static void beginCall(long tid) {
        long calling = base + CALLING;
        long since = 0;
        for (int looks = 0; ; looks++) {
            long other = U.getLongVolatile(null, calling);
            long next = other == 0 ? tid + 1 : (other & WHO) == tid + 1 ? other + DEPTH : 0;
            if (next != 0 && U.compareAndSetLong(null, calling, other, next)) {
                return;
            }
            if (looks < SPINS) {
                Thread.onSpinWait();
                continue;
            }
            long now = System.nanoTime();
            since = looks == SPINS ? now : since;
            if (now - since > PATIENCE) {
                U.putLongVolatile(null, calling, tid + 1);
                return;
            }
            Thread.yield(); // it may have no processor
        }
    }

    /** The call has done what it does. */
    static void endCall(long tid) {
        long calling = base + CALLING;
        long own = U.getLongVolatile(null, calling);
        if ((own & WHO) == tid + 1) {
            U.compareAndSetLong(null, calling, own, own >= DEPTH ? own - DEPTH : 0);
        }
    }

    /** An exception may have ended all such calls of the thread, or one of them has called the environment, which may take long. */
    static void endCalls(long tid) {
        long calling = base + CALLING;
        long own = U.getLongVolatile(null, calling);
        if ((own & WHO) == tid + 1) {
            U.compareAndSetLong(null, calling, own, 0);
        }
    }

    /** The same as {@link #quiet}, found out at once for the containers that are used most. */
    static boolean isPlain(Object receiver) {
        if (receiver == null) {
            return true;
        }
        Class<?> type = receiver.getClass();
        return type == ArrayList.class || type == HashMap.class || type == LinkedHashMap.class || type == HashSet.class || quiet(receiver);
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
