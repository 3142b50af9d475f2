package java.lang;

import static java.lang.JinsiBuffer.WORD;
import static java.lang.JinsiBuffer.buffer;
import static java.lang.JinsiBuffer.close;
import static java.lang.JinsiBuffer.insert;
import static java.lang.JinsiBuffer.inserted;

import jdk.internal.misc.Unsafe;

/**
 * What a thread is about, as its probes know: whose code runs, how the open activations were called, and when it last met other
 * threads.
 */
final class JinsiState {
    private static final Unsafe U = Unsafe.getUnsafe();

    /**
     * Thread-private word of the buffer header. Its low two bits say whose code runs. Above them, the innermost lowest, is a bit for
     * each open activation: was it called by code that may have synchronized with other threads? Activations of which nothing is
     * known count as such, so the word begins with ones.
     */
    static final int STATE = 48;
    /** Thread-private word of the buffer header: the thread's last stamp, see {@link JinsiOrder}. */
    static final int STAMP = 56;
    /**
     * Thread-private half word of the buffer header. Its low four bits are 1 from a call that may reach observed code until it does;
     * above them is what class initializers that are running found there.
     */
    static final int AWAY = 36;
    static final int AWAY_BITS = 4;
    /** The low bits of {@link #STATE}. */
    static final long WHOSE = 3;
    /** The environment runs, and may synchronize with other threads. */
    static final long ENVIRONMENT = 0;
    /** Observed code runs. */
    static final long INSIDE = 1;
    /** The environment runs, but does not synchronize; or a call between observed methods is on its way. */
    static final long QUIET = 2;
    /** In {@link #STATE}: the innermost activation was called by the environment. */
    static final long CALLED_FROM_OUTSIDE = 4;
    static final int KIND_ENTER = 1;
    static final int KIND_EXIT = 3;
    static final int KIND_ORDER = 17;

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
        runs(INSIDE);
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
            release();
            runs(ENVIRONMENT);
        }
    }

    /**
     * An event has been written, in a recording of several threads; {@code then} is one of {@link JinsiFast}'s. If observed code runs now,
     * no stamp had to come before the event.
     */
    static void ended(Object first, int kind, int then) {
        long buffer = buffer();
        if (buffer == 0) {
            return; // the recording has ended meanwhile, as it can at any time
        }
        if (then == JinsiFast.INSIDE) {
            long state = U.getLong(buffer + STATE);
            if (kind == KIND_ENTER) {
                state = opened(state);
                U.putInt(buffer + AWAY, U.getInt(buffer + AWAY) & -1 << AWAY_BITS);
            }
            U.putLong(buffer + STATE, state & ~WHOSE | INSIDE);
        } else if (then == JinsiFast.QUIET || then == JinsiFast.CALL && JinsiOrder.quiet(first)) {
            runs(QUIET);
        } else if (kind == KIND_EXIT) {
            left(false);
        } else {
            release();
            runs(ENVIRONMENT);
        }
    }

    /** The word {@link #STATE} with one more activation, called by whoever is running. */
    private static long opened(long state) {
        long open = (state & ~WHOSE) << 1;
        return (state & WHOSE) == ENVIRONMENT ? open | CALLED_FROM_OUTSIDE : open;
    }

    static void runs(long whose) {
        long buffer = buffer();
        if (buffer != 0) {
            U.putLong(buffer + STATE, U.getLong(buffer + STATE) & ~WHOSE | whose);
        }
    }

    static void awayIs(int value) {
        long buffer = buffer();
        if (buffer != 0) {
            U.putInt(buffer + AWAY, U.getInt(buffer + AWAY) & -1 << AWAY_BITS | value);
        }
    }

    static void backFromInitializer() {
        try {
            long buffer = buffer();
            if (buffer != 0) {
                U.putInt(buffer + AWAY, U.getInt(buffer + AWAY) >>> AWAY_BITS);
            }
        } catch (Throwable ignored) {
            // left out
        }
    }

    /** Observed code is about to run, because of an event of this kind. */
    static void entering(int kind) {
        long buffer = buffer();
        if (buffer == 0) {
            return;
        }
        if ((U.getLong(buffer + STATE) & WHOSE) == ENVIRONMENT) {
            acquire();
        }
        if (kind == KIND_ENTER) {
            buffer = buffer();
            if (buffer != 0) {
                U.putLong(buffer + STATE, opened(U.getLong(buffer + STATE)));
            }
        }
    }

    /** An activation has ended; an exception may have ended others before that nobody was told of. */
    static void left(boolean thrown) {
        long buffer = buffer();
        if (buffer == 0) {
            return;
        }
        long state = U.getLong(buffer + STATE);
        boolean outside = thrown || (state & CALLED_FROM_OUTSIDE) != 0;
        long open = (state >>> 1 | Long.MIN_VALUE) & ~WHOSE;
        U.putLong(buffer + STATE, outside ? open | ENVIRONMENT : open | QUIET);
        if (outside && JinsiOrder.shared()) {
            release();
        }
    }

    /** Nothing is known of how the open activations were called. */
    static void forget() {
        long buffer = buffer();
        if (buffer != 0) {
            U.putLong(buffer + STATE, ~WHOSE | INSIDE);
        }
    }

    static void acquire() {
        long buffer = buffer();
        if (buffer != 0) {
            long last = U.getLong(buffer + STAMP);
            stamp(last, JinsiOrder.seen(last));
        }
    }

    static void release() {
        long buffer = buffer();
        if (buffer != 0) {
            long last = U.getLong(buffer + STAMP);
            stamp(last, JinsiOrder.drawn(last));
        }
    }

    /** Puts an Order event in front of the event being written. */
    static void stamp(long last, long stamp) {
        if (stamp == last) {
            return;
        }
        long at = insert(2 * WORD);
        if (at != 0) {
            U.putLong(at, (long) KIND_ORDER << 32 | 1L << 48);
            U.putLong(at + WORD, stamp);
            inserted(2 * WORD);
            long buffer = buffer();
            if (buffer != 0) {
                U.putLong(buffer + STAMP, stamp);
            }
        }
    }
}
