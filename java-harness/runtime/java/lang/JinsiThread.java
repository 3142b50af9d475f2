package java.lang;

import jdk.internal.misc.Unsafe;

/**
 * Whether observed code runs, said in {@code Thread} itself: a copy of {@link JinsiState#WHOSE} for recordings at the boundary, where
 * each method asks. A field is something compilers know: methods compiled in one piece ask once, and a loop asks before it begins. What
 * is at a buffer's address is loaded each time.
 *
 * <p>The field is the size that was asked for the thread's stack, which nobody reads once the thread has started. Virtual threads
 * have none; theirs is asked of the buffer.
 */
final class JinsiThread {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** Observed code runs. As the size of a stack, it would be more than there is. */
    private static final long INSIDE = 0x4a494e534944450aL;
    private static final long OTHERS = 0;

    /** Where threads have what holds the field: since Java 19; 0 if that is themselves. */
    private static final long HOLDER = offset(Thread.class, "holder");
    /** Where the field is; 0 if there is none. */
    private static final long FIELD = offset(HOLDER == 0 ? Thread.class : holder(), "stackSize");
    private static final boolean ON = JinsiOutgoing.ON && FIELD != 0;

    private JinsiThread() {}

    /** Initializes the class, which a full stack would not let. */
    static void warmUp() {
        isInside();
    }

    /** Does observed code run? If not, that is to be asked of the buffer, too: nobody may have said so here. */
    static boolean isInside() {
        Thread thread = Thread.currentThread();
        if (!ON || thread == null) {
            return JinsiBuffer.isInside();
        }
        Object holder = HOLDER == 0 ? thread : U.getReference(thread, HOLDER);
        return holder == null ? JinsiBuffer.isInside() : U.getLong(holder, FIELD) == INSIDE;
    }

    /** From now on {@code whose} code runs. */
    static void runs(int whose) {
        if (ON) {
            Thread thread = Thread.currentThread();
            Object holder = HOLDER == 0 ? thread : U.getReference(thread, HOLDER);
            if (holder != null) {
                U.putLong(holder, FIELD, whose == JinsiState.INSIDE ? INSIDE : OTHERS);
            }
        }
    }

    /** Observed code runs on, in a thread that has said so or is not recorded. */
    static void runsOn() {
        if (Thread.currentThread() != null) {
            runs(JinsiState.INSIDE);
        }
    }

    /** A recording begins in the middle of the program: what {@code thread} has said in an earlier one is not so any more. */
    static void forget(Thread thread) {
        Object holder = !ON ? null : HOLDER == 0 ? thread : U.getReference(thread, HOLDER);
        if (holder != null && U.getLong(holder, FIELD) == INSIDE) {
            U.putLong(holder, FIELD, OTHERS);
        }
    }

    private static Class<?> holder() {
        return U.getReference(Thread.currentThread(), HOLDER).getClass();
    }

    private static long offset(Class<?> type, String name) {
        try {
            return U.objectFieldOffset(type, name);
        } catch (InternalError absent) {
            return 0;
        }
    }
}
