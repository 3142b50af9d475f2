package java.lang;

import static java.lang.JinsiState.ENVIRONMENT;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;

/**
 * Where a window of a recording begins ({@code at-max=window}): behind it all has to be recorded again, while several threads go on.
 *
 * <p>Two things keep what is reported whole. Before a window begins, calls from the environment wait at the barrier of observed code until those
 * that are running have come out, so no call lies across its beginning. And who first meets an object in a window tells of all that is
 * reached from its fields; another thread that meets one of these objects meanwhile waits until that is done, and only then can change
 * any of them. What static fields hold is reported before the barrier opens. Both wait for a bounded time, for what is waited for may itself be waiting for this thread.
 *
 * <p>Nothing of this is at work in other recordings.
 */
final class JinsiWindow {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** Are there windows? */
    static final boolean ON = windows0();
    /** Address of a word that is not 0 while a window is about to begin; the agent writes there. */
    private static long barrier = U.allocateMemory(Long.BYTES);

    static {
        U.putLong(barrier, 0);
    }

    private JinsiWindow() {}

    /** Has the native methods found. */
    static void warmUp() {
        await0(-1);
        open0();
        room0();
        beginTelling0(-1);
        endTelling0(-1);
    }

    /** Whether the barrier is open is reported at {@code address} from now on. */
    static void init(long address) {
        barrier = address;
    }

    /** Are there windows? */
    private static native boolean windows0();

    /**
     * Waits until a window has begun, or it turns out that this thread need not wait. Whether the thread is to say what has to be known at
     * the beginning, and then to open the barrier.
     */
    private static native boolean await0(long tid);

    /** How many elements of contents are reported when a window begins, so that enough of it is left for what happens. */
    static long room() {
        return ON ? room0() : 0;
    }

    private static native long room0();

    /** Lets all go on that wait at the barrier. */
    private static native void open0();

    /** The thread is going to tell what objects hold, as soon as no other one does. */
    private static native void beginTelling0(long tid);

    /** It has. */
    private static native void endTelling0(long tid);

    /** The environment calls observed code, of which nothing has been written yet. */
    static void atDoor() {
        if (ON && U.getLongAcquire(null, barrier) != 0 && await0(JinsiBuffer.currentTid())) {
            try {
                JinsiStatics.tellAll();
            } finally {
                open0();
            }
        }
    }

    /** A method begins, maybe called by the environment. Nothing of that has been written yet. */
    static void begins() {
        long buffer = JinsiBuffer.buffer();
        if (buffer != 0 && JinsiState.whose(buffer) == ENVIRONMENT) {
            atDoor();
        }
    }

    @DontInline
    static void beginTelling() {
        if (ON) {
            beginTelling0(JinsiBuffer.currentTid());
        }
    }

    @DontInline
    static void endTelling() {
        if (ON) {
            endTelling0(JinsiBuffer.currentTid());
        }
    }
}
