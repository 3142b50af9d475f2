package java.lang;

import static java.lang.JinsiBuffer.CURSOR;
import static java.lang.JinsiBuffer.LIMIT;
import static java.lang.JinsiBuffer.ROOM;
import static java.lang.JinsiBuffer.SCRATCH;
import static java.lang.JinsiBuffer.WORD;
import static java.lang.JinsiRaw.KIND_CATCH;
import static java.lang.JinsiRaw.KIND_ENTER;
import static java.lang.JinsiRaw.KIND_THIS;
import static java.lang.JinsiRaw.TAG_BITS;
import static java.lang.JinsiRaw.TAG_BOX;
import static java.lang.JinsiRaw.TAG_OBJECT;
import static java.lang.JinsiRaw.TAG_STRING;
import static java.lang.JinsiState.ENVIRONMENT;
import static java.lang.JinsiState.ORDER;
import static java.lang.JinsiState.WHOSE;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;

/**
 * The common path of events: the buffer is found once, values that need nothing but a store are stored, the cursor moves.
 *
 * <p>{@link JinsiEvent}, which is generated, has a probe for each sequence of up to four values. Each tries this way first. Where
 * anything is out of the ordinary (the buffer is full, an object is new, a string is long, another thread has to be
 * ordered before) nothing has been written, and the event takes the slow way through {@link JinsiProbe}.
 */
final class JinsiFast {
    private static final Unsafe U = Unsafe.getUnsafe();

    // The number that says what an event is: its site, above that its kind, and above that what runs afterwards. The two lowest bits of
    // that are what JinsiState.WHOSE becomes.
    private static final int KIND = JinsiNumbers.SITE_BITS;
    private static final int THEN = KIND + JinsiNumbers.KIND_BITS;
    /** Nothing is different. */
    static final int SAME = JinsiNumbers.SAME;
    /** Observed code. */
    static final int INSIDE = JinsiNumbers.INSIDE;
    /** The environment. */
    static final int OUTSIDE = JinsiNumbers.OUTSIDE;
    /** Something that does not synchronize with other threads, or records it if it does. */
    static final int QUIET = JinsiNumbers.QUIET;
    /** A method of the first value. */
    static final int CALL = JinsiNumbers.CALL;
    /** Nothing is different, and it is an access of a field. */
    static final int ACCESS = JinsiNumbers.ACCESS;

    /** Flag of an event with the values of the one before. */
    private static final long REPEATS = 1L << JinsiRaw.REPEATS_BIT;
    private static final int WHO = 3;
    /** Longest string in bytes that is stored here; four of them fit into {@link JinsiBuffer#ROOM}. */
    private static final int SHORT = 1024;
    private static final long BYTES = JinsiContent.base(byte[].class);

    private JinsiFast() {}

    /** Initializes the class, which a full stack would not let. */
    static void warmUp() {
        JinsiEvent.event(0);
        JinsiEdge.outside();
    }

    /** The number of an event. */
    static int what(int site, int kind, int then) {
        return site | kind << KIND | then << THEN;
    }

    private static int site(int what) {
        return what & (1 << KIND) - 1;
    }

    private static int kind(int what) {
        return what >>> KIND & (1 << THEN - KIND) - 1;
    }

    /** Where the first value goes; 0 if the slow way has to be taken. */
    static long begin(long buffer, int what) {
        long cursor = U.getLong(buffer + CURSOR);
        if (cursor + ROOM > U.getLong(buffer + LIMIT) || JinsiState.isOnStray(buffer)) {
            return 0;
        }
        if (what >>> THEN == INSIDE && JinsiOrder.shared() && JinsiState.whose(buffer) == ENVIRONMENT) {
            long word = U.getLong(buffer + ORDER);
            if (!JinsiOrder.isLast(word, JinsiOrder.seen(word))) {
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
        return field > 0 ? object(at, U.getLong(value, field)) : reference(at, value, type, field);
    }

    /** ... that is no object with its identity in a field. */
    @DontInline
    private static long reference(long at, Object value, Class<?> type, long field) {
        if (JinsiShape.isInTable(field)) {
            return object(at, JinsiIds.known(value));
        }
        // What is left mostly is none of the program's objects. A comparison of classes, not a chain of instanceof: that is one load.
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
        if ((word & (JinsiIds.EPOCH | JinsiIds.DEFINED | JinsiIds.UNSETTLED)) != (JinsiIds.now() | JinsiIds.DEFINED)) {
            return 0;
        }
        U.putLong(at, word >>> JinsiIds.SHIFT << TAG_BITS | TAG_OBJECT);
        return at + WORD;
    }

    private static long box(long at, char letter, long bits) {
        U.putLong(at, (long) letter << 3 | TAG_BOX);
        U.putLong(at + WORD, bits);
        return at + 2 * WORD;
    }

    private static long string(long at, String text) {
        if (JinsiRedact.ON) {
            text = JinsiRedact.of(text);
        }
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
    static void end(long buffer, long at, Object first, int what) {
        long cursor = U.getLong(buffer + CURSOR);
        long head = buffer + cursor;
        int site = site(what);
        int kind = kind(what);
        int then = what >>> THEN;
        long size = at - head;
        if (then == INSIDE && size > WORD && repeats(buffer, cursor, size)) {
            at = head + WORD;
            U.putLong(head, site & 0xffffffffL | (long) kind << 32 | REPEATS);
            U.putLong(buffer + SCRATCH, cursor + WORD);
        } else {
            U.putLong(head, site & 0xffffffffL | (long) kind << 32 | size - WORD << 45);
            U.putLong(buffer + SCRATCH, cursor);
        }
        U.putLongRelease(null, buffer + CURSOR, at - buffer);
        if (then == SAME || then == ACCESS) {
            return;
        }
        if (JinsiOrder.shared()) {
            JinsiState.ended(first, kind, then);
            return;
        }
        JinsiThread.runs(then & WHO);
        if (kind == KIND_ENTER) {
            // And nobody is away any more.
            U.putShort(buffer + WHOSE, (short) (then & WHO));
        } else {
            U.putByte(buffer + WHOSE, (byte) (then & WHO));
        }
    }

    /**
     * The event with which an object's constructor says that it exists from now on, and its definition if it is not defined yet. Says
     * whether that was all there is to do.
     */
    static boolean own(Object value, int site) {
        long buffer = JinsiBuffer.buffer();
        if (buffer == 0) {
            return true;
        }
        Class<?> type = value.getClass();
        long field = JinsiShape.known(type);
        long now = JinsiIds.now();
        if (field <= 0 || begin(buffer, INSIDE << THEN) == 0) {
            return false;
        }
        long word = U.getLong(value, field);
        if (word == 0) {
            if (value instanceof Enum) {
                return false;
            }
            int classNo = JinsiObjects.classNo(type);
            word = JinsiIds.next() | now;
            if (!U.compareAndSetLong(value, field, 0, word)) {
                return false;
            }
            long cursor = U.getLong(buffer + CURSOR);
            U.putLong(buffer + cursor, JinsiObjects.DEFINE_HEAD);
            U.putLong(buffer + cursor + WORD, word >>> JinsiIds.SHIFT);
            U.putLong(buffer + cursor + 2 * WORD, classNo);
            U.putLongRelease(null, buffer + CURSOR, cursor + 3 * WORD);
            // Last: if the stack overflows before, the object is defined when it is seen next.
            word |= JinsiIds.DEFINED;
            if (!U.compareAndSetLong(value, field, word & ~(long) JinsiIds.DEFINED, word)) {
                return false;
            }
        }
        long at = object(buffer + U.getLong(buffer + CURSOR) + WORD, word);
        if (at == 0) {
            return false;
        }
        end(buffer, at, value, what(site, KIND_THIS, INSIDE));
        return true;
    }

    /** A throwable that observed code throws on or handles, of which nothing is left to be said. Says whether that was so. */
    static boolean thrown(Object throwable, int site, int kind) {
        long buffer = JinsiBuffer.buffer();
        if (buffer == 0) {
            return true;
        }
        long field = JinsiShape.known(throwable.getClass());
        if (field <= 0 || JinsiOrder.shared()) {
            return false;
        }
        long word = U.getLong(throwable, field);
        long at = begin(buffer, SAME);
        if (at == 0 || (at = object(at, word)) == 0 || !JinsiThrowables.isSaid(throwable, word)) {
            return false;
        }
        end(buffer, at, throwable, what(site, kind, kind == KIND_CATCH ? INSIDE : OUTSIDE));
        return true;
    }

    /**
     * Has the event of this size at the cursor the same values as the one before? A method gets what the call gave, a call what the
     * method returned. Between events written here {@link JinsiBuffer#SCRATCH} says where the last one begins that has values of its own.
     */
    private static boolean repeats(long buffer, long cursor, long size) {
        long before = U.getLong(buffer + SCRATCH);
        if (cursor - before != size) {
            return false;
        }
        for (long i = WORD; i < size; i += WORD) {
            if (U.getLong(buffer + cursor + i) != U.getLong(buffer + before + i)) {
                return false;
            }
        }
        return true;
    }

    /** Is this no event, for which {@link #begin} did not find the way? See {@link JinsiState#UNOBSERVED_SUBCLASS}. */
    static boolean isNone(int what) {
        return what >>> THEN != ACCESS && JinsiState.isStrays(kind(what));
    }

    /** Ends an event that took the slow way. */
    static void endSlowly(Object first, int what) {
        endSlowly(first, site(what), kind(what), what >>> THEN);
    }

    static void endSlowly(Object first, int site, int kind, int then) {
        switch (then) {
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
            case ACCESS:
                JinsiProbe.endAccess(site, kind);
                break;
            default:
                JinsiProbe.end(site, kind);
        }
    }
}
