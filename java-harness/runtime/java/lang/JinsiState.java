package java.lang;

import static java.lang.JinsiBuffer.WORD;
import static java.lang.JinsiBuffer.buffer;
import static java.lang.JinsiBuffer.close;
import static java.lang.JinsiBuffer.insert;
import static java.lang.JinsiBuffer.inserted;
import static java.lang.JinsiRaw.KIND_ENTER;
import static java.lang.JinsiRaw.KIND_EXIT;
import static java.lang.JinsiRaw.KIND_ORDER;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;

/**
 * What a thread is about, as its probes know: whose code runs, how the open activations were called, and when it last met other
 * threads.
 */
final class JinsiState {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** Thread-private byte of the buffer header: whose code runs. Also said by {@link JinsiThread}, by whoever changes it. */
    static final int WHOSE = 36;
    /** The environment runs, and may synchronize with other threads. */
    static final byte ENVIRONMENT = 0;
    /** Observed code runs. */
    static final byte INSIDE = 1;
    /** The environment runs, but does not synchronize; or a call between observed methods is on its way. */
    static final byte QUIET = 2;
    /** Who it is. */
    private static final int WHO = 3;
    /**
     * With {@link #ENVIRONMENT}: code of an observed class runs on an unobserved subclass (see {@link JinsiUnobservedSubclasses}), or has called what runs. It is the
     * environment's, as all that runs on an unobserved subclass is in a replay, so what it calls makes no event, and only what it accesses of others does.
     */
    static final byte UNOBSERVED_SUBCLASS = 4;
    /** With {@link #UNOBSERVED_SUBCLASS}: the event with which it begins is still to be written. */
    static final byte BEGINS = 8;
    /** Thread-private byte of the buffer header, behind {@link #WHOSE}: 1 from a call that may reach observed code until it does. */
    static final int AWAY = 37;
    /** Thread-private half word of the buffer header: what class initializers that are running found in {@link #AWAY}, a bit each. */
    static final int FOUND = 38;
    /**
     * Thread-private word of the buffer header. A bit for each open activation, the innermost lowest: was it called by code that
     * may have synchronized with other threads? Activations of which nothing is known count as such, so the word begins with
     * ones. Kept while several threads are recorded.
     */
    static final int OPEN = 48;
    private static final long CALLED_FROM_OUTSIDE = 1;
    private static final long NOTHING_KNOWN = -1;
    /** Thread-private word of the buffer header: how the thread stands to others, see {@link JinsiOrder}. */
    static final int ORDER = 56;

    private JinsiState() {}

    /** Initializes the class, which a full stack would not let. */
    static void warmUp() {
        runs(ENVIRONMENT);
    }

    static void closeInside(int site, int kind) {
        if (JinsiOrder.shared()) {
            entering(kind);
        }
        close(site, kind);
        runs(kind == KIND_ENTER && begins() ? UNOBSERVED_SUBCLASS : INSIDE);
        if (kind == KIND_ENTER) {
            awayIs(0);
        }
    }

    static void closeOutside(int site, int kind) {
        close(site, kind);
        if (!JinsiOrder.shared()) {
            runs(ENVIRONMENT);
        } else if (kind == KIND_EXIT) {
            left(false);
        } else {
            leave();
            runs(ENVIRONMENT);
        }
    }

    /**
     * An event has been written, in a recording of several threads; {@code then} is one of {@link JinsiFast}'s. If observed code runs now,
     * no stamp had to come before the event.
     */
    @DontInline
    static void ended(Object first, int kind, int then) {
        long buffer = buffer();
        if (buffer == 0) {
            return; // the recording has ended meanwhile, as it can at any time
        }
        if (then == JinsiFast.INSIDE) {
            if (kind == KIND_ENTER) {
                opened(buffer);
                U.putByte(buffer + AWAY, (byte) 0);
            }
            U.putByte(buffer + WHOSE, INSIDE);
            JinsiThread.runs(INSIDE);
        } else if (then == JinsiFast.QUIET || then == JinsiFast.CALL && JinsiOrder.quiet(first)) {
            runs(QUIET);
        } else if (kind == KIND_EXIT) {
            left(false);
        } else {
            leave();
            runs(ENVIRONMENT);
        }
    }

    /** One more activation, called by whoever is running. */
    private static void opened(long buffer) {
        long open = U.getLong(buffer + OPEN) << 1;
        U.putLong(buffer + OPEN, whose(buffer) == ENVIRONMENT ? open | CALLED_FROM_OUTSIDE : open);
    }

    static int whose(long buffer) {
        return U.getByte(buffer + WHOSE) & WHO;
    }

    /** {@link #whose}, and whether it is an unobserved subclass's. */
    static byte all(long buffer) {
        return U.getByte(buffer + WHOSE);
    }

    /** Does code of an observed class run on an unobserved subclass, or what that has called? */
    static boolean isOnStray(long buffer) {
        return (all(buffer) & UNOBSERVED_SUBCLASS) != 0;
    }

    static boolean isOnStray() {
        long buffer = buffer();
        return buffer != 0 && isOnStray(buffer);
    }

    /** Is an event of this kind none, because the code that makes it runs on an unobserved subclass? Where calls begin and end stays recorded. */
    static boolean isStrays(int kind) {
        return kind != KIND_ENTER && kind != KIND_EXIT && isOnStray();
    }

    private static boolean begins() {
        long buffer = buffer();
        return buffer != 0 && (all(buffer) & BEGINS) != 0;
    }

    static void runs(byte whose) {
        long buffer = buffer();
        if (buffer != 0) {
            U.putByte(buffer + WHOSE, whose);
            JinsiThread.runs(whose);
        }
    }

    static void awayIs(int value) {
        long buffer = buffer();
        if (buffer != 0) {
            U.putByte(buffer + AWAY, (byte) value);
        }
    }

    /** A class initializer begins, in the middle of something; {@code away} was said then. */
    static void intoInitializer(int away) {
        long buffer = buffer();
        if (buffer != 0) {
            U.putShort(buffer + FOUND, (short) (U.getShort(buffer + FOUND) << 1 | away));
        }
    }

    static void backFromInitializer() {
        try {
            long buffer = buffer();
            if (buffer != 0) {
                int found = U.getShort(buffer + FOUND) & 0xffff;
                U.putByte(buffer + AWAY, (byte) (found & 1));
                U.putShort(buffer + FOUND, (short) (found >> 1));
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // left out
        }
    }

    /** Observed code is about to run, because of an event of this kind. */
    static void entering(int kind) {
        long buffer = buffer();
        if (buffer == 0) {
            return;
        }
        if (whose(buffer) == ENVIRONMENT) {
            acquire();
        }
        if (kind == KIND_ENTER) {
            buffer = buffer();
            if (buffer != 0) {
                opened(buffer);
            }
        }
    }

    /** An activation has ended; an exception may have ended others before that nobody was informed of. */
    static void left(boolean thrown) {
        long buffer = buffer();
        if (buffer == 0) {
            return;
        }
        long open = U.getLong(buffer + OPEN);
        boolean outside = thrown || (open & CALLED_FROM_OUTSIDE) != 0;
        U.putLong(buffer + OPEN, open >>> 1 | Long.MIN_VALUE);
        runs(outside ? ENVIRONMENT : QUIET);
        if (outside && JinsiOrder.shared()) {
            leave();
        }
    }

    /** Nothing is known of how the open activations were called. */
    static void forget() {
        long buffer = buffer();
        if (buffer != 0) {
            U.putLong(buffer + OPEN, NOTHING_KNOWN);
            runs(INSIDE);
        }
    }

    static void acquire() {
        acquire(false);
    }

    private static void acquire(boolean atMeeting) {
        long buffer = buffer();
        if (buffer != 0) {
            long word = U.getLong(buffer + ORDER);
            stamp(word, JinsiOrder.seen(word), atMeeting);
        }
    }

    /** An exception has come to observed code. Out of the environment, it may be what another thread failed by, which was waited for. */
    static void backByException() {
        long buffer = buffer();
        if (buffer != 0 && whose(buffer) == ENVIRONMENT) {
            acquire();
        }
    }

    /** Observed code lets the environment run, while several threads are recorded. */
    private static void leave() {
        JinsiOrder.endCalls(JinsiBuffer.currentTid());
        release();
    }

    static void release() {
        long buffer = buffer();
        if (buffer != 0) {
            long word = U.getLong(buffer + ORDER);
            stamp(word, JinsiOrder.drawn(word), false);
        }
    }

    /** Observed code has met other threads, behind having waited for them. */
    static void met() {
        long buffer = buffer();
        if (buffer == 0 || isOnStray(buffer)) {
            return;
        }
        long word = JinsiOrder.met(U.getLong(buffer + ORDER));
        U.putLong(buffer + ORDER, word);
        if (JinsiOrder.EACH) {
            stamp(word, JinsiOrder.seen(word), true);
        } else if (JinsiOrder.shared()) {
            acquire(true);
        }
    }

    /** Observed code is about to meet other threads, which need not wait for it any longer. */
    static void meeting() {
        if (JinsiOrder.shared()) {
            release();
        }
        count();
    }

    /** It has met them once more. */
    static void count() {
        long buffer = buffer();
        if (buffer != 0 && !isOnStray(buffer)) {
            long word = JinsiOrder.met(U.getLong(buffer + ORDER));
            U.putLong(buffer + ORDER, word);
            if (JinsiOrder.EACH) {
                stamp(word, JinsiOrder.last(word), true);
            }
        }
    }

    /** Puts an Order event in front of the event being written. */
    private static void stamp(long word, long stamp, boolean atMeeting) {
        if (JinsiOrder.isLast(word, stamp) && !(atMeeting && JinsiOrder.EACH)) {
            return;
        }
        long at = insert(2 * WORD);
        if (at != 0) {
            U.putLong(at, (long) KIND_ORDER << 32 | 1L << 48);
            U.putLong(at + WORD, JinsiOrder.reported(word, stamp, atMeeting));
            inserted(2 * WORD);
            long buffer = buffer();
            if (buffer != 0) {
                U.putLong(buffer + ORDER, stamp);
            }
        }
    }
}
