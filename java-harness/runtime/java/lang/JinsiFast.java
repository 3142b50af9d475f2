package java.lang;

import static java.lang.JinsiBuffer.CURSOR;
import static java.lang.JinsiBuffer.LIMIT;
import static java.lang.JinsiBuffer.ROOM;
import static java.lang.JinsiBuffer.SCRATCH;
import static java.lang.JinsiBuffer.WORD;
import static java.lang.JinsiState.AWAY;
import static java.lang.JinsiState.AWAY_BITS;
import static java.lang.JinsiState.ENVIRONMENT;
import static java.lang.JinsiState.KIND_ENTER;
import static java.lang.JinsiState.STAMP;
import static java.lang.JinsiState.STATE;
import static java.lang.JinsiState.WHOSE;

import jdk.internal.misc.Unsafe;

/**
 * The common path of events: the buffer is found once, values that need nothing but a store are stored, the cursor moves.
 *
 * <p>{@code JinsiEvent}, which is generated, has a probe for each sequence of up to four values. Each tries this way first. Where
 * anything is out of the ordinary (the buffer is full, an object is new, a string is long, another thread has to be
 * ordered before) nothing has been written, and the event takes the slow way through {@link JinsiProbe}.
 */
final class JinsiFast {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** How an event ends: its kind in the low byte, above it what runs afterwards. */
    static final int KIND = 0xff;
    /** Nothing is different. */
    static final int SAME = 0;
    /** Observed code. */
    static final int INSIDE = 1;
    /** The environment. */
    static final int OUTSIDE = 2;
    /** Something that does not synchronize with other threads, or records it if it does. */
    static final int QUIET = 3;
    /** A method of the first value. */
    static final int CALL = 4;

    private static final int TAG_BITS = 3;
    private static final int TAG_OBJECT = 1;
    private static final int TAG_STRING = 2;
    private static final int TAG_BOX = 4;
    /** Longest string in bytes that is stored here; four of them fit into {@link JinsiBuffer#ROOM}. */
    private static final int SHORT = 1024;
    private static final long BYTES = JinsiContent.base(byte[].class);

    private JinsiFast() {}

    /** Initializes the class, which a full stack would not let. */
    static void warmUp() {
        JinsiEvent.e(0, 0);
    }

    /** Where the first value goes; 0 if the slow way has to be taken. */
    static long begin(long buffer, int how) {
        long cursor = U.getLong(buffer + CURSOR);
        if (cursor + ROOM > U.getLong(buffer + LIMIT)) {
            return 0;
        }
        if (how >> 8 == INSIDE && JinsiOrder.shared() && (U.getLong(buffer + STATE) & WHOSE) == ENVIRONMENT) {
            long last = U.getLong(buffer + STAMP);
            if (JinsiOrder.seen(last) != last) {
                return 0;
            }
        }
        return buffer + cursor + WORD;
    }

    /** Stores a primitive; where the next value goes. */
    static long word(long at, long value) {
        U.putLong(at, value);
        return at + WORD;
    }

    /** Stores a reference; where the next value goes, 0 if the slow way has to be taken. */
    static long reference(long at, Object value) {
        if (value == null) {
            U.putLong(at, 0);
            return at + WORD;
        }
        Class<?> type = value.getClass();
        long field = JinsiShape.known(type);
        if (field > 0) {
            return object(at, U.getLong(value, field));
        }
        // A comparison of classes, not a chain of instanceof: most values are plain objects and this is one load.
        if (type == Integer.class) {
            return box(at, 'I', (Integer) value);
        } else if (type == String.class) {
            return string(at, (String) value);
        } else if (type == Long.class) {
            return box(at, 'J', (Long) value);
        } else if (type == Boolean.class) {
            return box(at, 'Z', (Boolean) value ? 1 : 0);
        } else if (type == Double.class) {
            return box(at, 'D', Double.doubleToRawLongBits((Double) value));
        } else if (type == Character.class) {
            return box(at, 'C', (Character) value);
        } else if (type == Class.class || type == Byte.class || type == Short.class || type == Float.class) {
            return 0;
        }
        return object(at, JinsiIds.known(value));
    }

    /** Stores the identity of an object with this word, if that is all there is to do. */
    private static long object(long at, long word) {
        if ((word & (JinsiIds.DEFINED | JinsiIds.UNSETTLED)) != JinsiIds.DEFINED) {
            return 0;
        }
        U.putLong(at, word >>> JinsiIds.FLAGS << TAG_BITS | TAG_OBJECT);
        return at + WORD;
    }

    private static long box(long at, char letter, long bits) {
        U.putLong(at, (long) letter << 3 | TAG_BOX);
        U.putLong(at + WORD, bits);
        return at + 2 * WORD;
    }

    private static long string(long at, String text) {
        byte[] bytes = text.value();
        int length = bytes.length;
        if (length > SHORT) {
            return 0;
        }
        U.putLong(at, (long) length << 4 | (long) text.coder() << 3 | TAG_STRING);
        at += WORD;
        int whole = length & -WORD_BYTES;
        for (int i = 0; i < whole; i += WORD_BYTES) {
            U.putLong(at + i, U.getLongUnaligned(bytes, BYTES + i));
        }
        if (whole == length) {
            return at + whole;
        }
        long last = 0;
        for (int i = length - 1; i >= whole; i--) {
            last = last << 8 | bytes[i] & 0xff;
        }
        U.putLong(at + whole, last);
        return at + whole + WORD;
    }

    private static final int WORD_BYTES = 8;

    /** Makes the event part of the trace: its values end at {@code at}. {@code first} is its first value, if that is a reference. */
    static void end(long buffer, long at, Object first, int site, int how) {
        long head = buffer + U.getLong(buffer + CURSOR);
        int kind = how & KIND;
        U.putLong(head, site & 0xffffffffL | (long) kind << 32 | at - head - WORD << 45);
        U.putLongRelease(null, buffer + CURSOR, at - buffer);
        int then = how >> 8;
        if (then == SAME) {
            return;
        }
        if (JinsiOrder.shared()) {
            U.putLong(buffer + SCRATCH, at - buffer);
            JinsiState.ended(first, kind, then);
            return;
        }
        long whose = then == INSIDE ? JinsiState.INSIDE : then == QUIET ? JinsiState.QUIET : ENVIRONMENT;
        U.putLong(buffer + STATE, U.getLong(buffer + STATE) & ~WHOSE | whose);
        if (kind == KIND_ENTER) {
            U.putInt(buffer + AWAY, U.getInt(buffer + AWAY) & -1 << AWAY_BITS);
        }
    }

    /** Ends an event that took the slow way. */
    static void endSlowly(Object first, int site, int how) {
        int kind = how & KIND;
        switch (how >> 8) {
            case INSIDE:
                JinsiProbe.endInside(site, kind);
                break;
            case OUTSIDE:
                JinsiProbe.endOutside(site, kind);
                break;
            case QUIET:
                JinsiProbe.endQuiet(site, kind);
                break;
            case CALL:
                JinsiProbe.endCall(first, site, kind);
                break;
            default:
                JinsiProbe.end(site, kind);
        }
    }
}
