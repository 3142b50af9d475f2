package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.Stable;

/**
 * The thread's buffer, into which events are written: {@link #open()}, words, {@link #close(int, int)}. Its layout is the one of
 * {@code trace/events/src/raw.rs}.
 */
final class JinsiBuffer {
    private static final Unsafe U = Unsafe.getUnsafe();

    static final int CURSOR = JinsiRaw.OFFSET_CURSOR;
    static final int LIMIT = JinsiRaw.OFFSET_LIMIT;
    private static final int ORDINAL = JinsiRaw.OFFSET_ORDINAL;
    /**
     * Where the event being written ends so far, header included. While none is being written it is not above the cursor, and
     * {@link JinsiFast} may keep there where the last event begins.
     */
    static final int SCRATCH = JinsiRaw.OFFSET_SCRATCH;
    /** Room that {@link #open()} guarantees: the header, a Define event and 255 one-word operands twice over. */
    static final int ROOM = 8192;
    static final int WORD = 8;
    private static final long LONG_EVENT = JinsiRaw.LONG_EVENT;
    /** In {@link #LIMIT}: no further event is to be begun in the buffer. */
    private static final long CLOSED = 0;
    private static final long TID = U.objectFieldOffset(Thread.class, "tid");
    /** In place of an address: this thread gets no buffer. */
    private static final long REFUSED = 1;
    /** Addresses of the threads' buffers, indexed by thread id; 0 where there is none yet. */
    @Stable
    private static long table;
    /** Number of entries of {@link #table}. */
    @Stable
    private static long tableSize;

    /** Upper half of the header of an event that a recorded method returned one word. */
    private static final long RETURNS = JinsiRaw.KIND_EXIT | 1L << 16;

    private JinsiBuffer() {}

    /** Called once, with the agent's table of buffers. */
    static void init(long tableAddress, long tableEntries) {
        open0(-1, null);
        roll0(-1, 0);
        table = tableAddress;
        tableSize = tableEntries;
    }

    /** Can events be written? */
    static boolean isReady() {
        return table != 0;
    }

    /** Gives the thread {@code tid} a buffer; 0 if the recording has ended or cannot go on. */
    private static native long open0(long tid, String name);

    /** Replaces the buffer of {@code tid} by one with room for {@code bytes} more; the event being written moves along. */
    private static native long roll0(long tid, long bytes);

    /** Does the thread have a buffer which says that observed code runs? */
    static boolean isInside() {
        Thread thread = Thread.currentThread();
        if (thread == null) {
            return false;
        }
        long tid = U.getLong(thread, TID);
        if (tid >= tableSize) {
            return false;
        }
        long buffer = U.getLong(null, table + (tid << 3));
        return buffer > REFUSED && U.getByte(null, buffer + JinsiState.WHOSE) == JinsiState.INSIDE;
    }

    static long buffer() {
        Thread thread = Thread.currentThread();
        if (thread == null) {
            return 0;
        }
        long tid = U.getLong(thread, TID);
        if (tid >= tableSize) {
            return 0;
        }
        long buffer = U.getLong(null, table + (tid << 3));
        return buffer > REFUSED ? buffer : first(thread, tid, buffer);
    }

    /** The thread's first buffer, unless it gets none. */
    @DontInline
    private static long first(Thread thread, long tid, long known) {
        if (known == REFUSED) {
            return 0;
        }
        long buffer = open0(tid, thread.getName());
        if (buffer != 0) {
            JinsiOrder.opened();
        }
        return buffer;
    }

    /** Number of the thread's buffer, other than that of any other; 0 if it has none. */
    static long ordinal() {
        try {
            long buffer = buffer();
            return buffer == 0 ? 0 : U.getLong(buffer + ORDINAL);
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return 0;
        }
    }

    static long roll(long bytes) {
        return roll0(currentTid(), bytes);
    }

    /** Id of the current thread, as it indexes the table. */
    static long currentTid() {
        return U.getLong(Thread.currentThread(), TID);
    }

    static void open() {
        long buffer = buffer();
        if (buffer == 0) {
            return;
        }
        long cursor = U.getLong(buffer + CURSOR);
        U.putLong(buffer + SCRATCH, cursor + WORD);
        if (cursor + ROOM > U.getLong(buffer + LIMIT)) {
            roll(ROOM);
        }
    }

    static void word(long value) {
        long buffer = buffer();
        if (buffer == 0) {
            return;
        }
        long scratch = U.getLong(buffer + SCRATCH);
        long limit = U.getLong(buffer + LIMIT);
        // A buffer that was closed since has the room that `open` found.
        if (scratch <= U.getLong(buffer + CURSOR) || scratch + WORD > limit && limit != CLOSED) {
            return; // there was no begin, or it made no room, which happens on a full stack; the event is left out
        }
        U.putLong(buffer + scratch, value);
        U.putLong(buffer + SCRATCH, scratch + WORD);
    }

    /** Makes sure that {@code bytes} and a begin's worth more fit behind the event being written; 0 if none is. */
    static long room(long bytes) {
        long buffer = buffer();
        return buffer == 0 || U.getLong(buffer + SCRATCH) <= U.getLong(buffer + CURSOR) ? 0 : room(buffer, bytes);
    }

    private static long room(long buffer, long bytes) {
        long end = Math.max(U.getLong(buffer + CURSOR), U.getLong(buffer + SCRATCH));
        return end + bytes + ROOM > U.getLong(buffer + LIMIT) ? roll(bytes + ROOM) : buffer;
    }

    static void close(int site, int kind) {
        long buffer = buffer();
        if (buffer == 0) {
            return;
        }
        long cursor = U.getLong(buffer + CURSOR);
        long scratch = U.getLong(buffer + SCRATCH);
        long words = (scratch - cursor - WORD) >> 3;
        if (words < 0) {
            return; // it was never begun
        }
        if (words >= LONG_EVENT) {
            U.copyMemory(buffer + cursor + WORD, buffer + cursor + 2 * WORD, words << 3);
            U.putLong(buffer + cursor + WORD, words);
            scratch += WORD;
            words = LONG_EVENT;
        }
        U.putLong(buffer + cursor, (site & 0xffffffffL) | (long) kind << 32 | words << 48);
        U.putLongRelease(null, buffer + CURSOR, scratch);
    }

    /** Is the last event that a recorded method returned the object {@code value}? No, too, if that went into another buffer. */
    static boolean hasJustReturned(long buffer, Object value) {
        long id = JinsiIds.known(value) >>> JinsiIds.SHIFT;
        long at = buffer + U.getLong(buffer + CURSOR) - 2 * WORD;
        return id != 0 && at >= buffer + JinsiRaw.HEADER_BYTES && U.getLong(at) >>> 32 == RETURNS
            && U.getLong(at + WORD) == (id << JinsiRaw.TAG_BITS | JinsiRaw.TAG_OBJECT);
    }

    /** Opens a gap in front of the event being written, which moves up, or behind the last one; its address, 0 if there is no room to be had. */
    static long insert(long bytes) {
        long buffer = buffer();
        if (buffer == 0) {
            return 0;
        }
        buffer = room(buffer, bytes);
        if (buffer == 0) {
            return 0;
        }
        long cursor = U.getLong(buffer + CURSOR);
        long scratch = U.getLong(buffer + SCRATCH);
        if (scratch > cursor) {
            U.copyMemory(buffer + cursor, buffer + cursor + bytes, scratch - cursor);
        }
        return buffer + cursor;
    }

    /** Makes what was written into the gap part of the trace. */
    static void inserted(long bytes) {
        long buffer = buffer();
        if (buffer == 0) {
            return; // the recording has ended meanwhile, as it can at any time
        }
        long cursor = U.getLong(buffer + CURSOR);
        U.putLong(buffer + SCRATCH, Math.max(cursor, U.getLong(buffer + SCRATCH)) + bytes);
        U.putLongRelease(null, buffer + CURSOR, cursor + bytes);
    }
}
