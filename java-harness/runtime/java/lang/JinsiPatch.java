package java.lang;

import static java.lang.JinsiBuffer.CURSOR;
import static java.lang.JinsiBuffer.LIMIT;
import static java.lang.JinsiBuffer.SCRATCH;
import static java.lang.JinsiBuffer.WORD;
import static java.lang.JinsiRaw.FORM_PATCHED;
import static java.lang.JinsiRaw.FORM_PRIMITIVES;
import static java.lang.JinsiRaw.KIND_CONTENT;

import jdk.internal.misc.Unsafe;
import jdk.internal.util.ArraysSupport;

/**
 * Tells what an array holds by what has changed since it was last written whole. A parser hands the same few thousand characters to
 * the JDK again and again, with some more behind them each time.
 *
 * <p>Which arrays are whole in the buffer, and where, is kept behind its limit: an identity, and the offset of its event. Who comes later
 * takes the place of who was there. A new buffer has none, so nothing refers to another one.
 */
final class JinsiPatch {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** Limit of the buffers that have room behind it. */
    private static final long KEPT = JinsiRaw.TAIL_BYTES;
    private static final long USUAL = JinsiRaw.USUAL_BYTES - KEPT;
    /** An identity and an offset. */
    private static final int ENTRY = 2 * WORD;
    private static final long PLACES = KEPT / ENTRY;
    /** Arrays of fewer bytes are always written whole, and so are those for which a buffer has no room. */
    private static final int LEAST = 64;
    private static final int MOST = (int) USUAL - 2 * JinsiBuffer.ROOM;
    /** So are those of which more than this part has changed: the next time there will be less to say. */
    private static final int PART = 8;
    /** Header, identity and form: what comes before the elements. */
    private static final int FRONT = 3 * WORD;
    /** Those, the distance and the range: what comes before the patch. */
    private static final int PATCH_FRONT = 5 * WORD;

    private JinsiPatch() {}

    /** Initializes what a first array would. */
    static void warmUp() {
        byte[] bytes = new byte[LEAST];
        long base = JinsiContent.base(byte[].class);
        mismatch(bytes, base, bytes, base, 0, bytes.length);
    }

    /**
     * Writes what {@code shown}, an array of so many bytes, holds, if it is in the buffer already and has hardly changed. If it says no, nothing
     * has been written.
     */
    static boolean write(long id, int letter, int length, Object shown, long base, int bytes) {
        if (bytes < LEAST || bytes > MOST) {
            return false;
        }
        JinsiBuffer.open();
        int most = bytes / PART;
        // What is kept goes with the buffer, so first there has to be room.
        long buffer = JinsiBuffer.room(PATCH_FRONT + most + WORD);
        if (buffer == 0 || U.getLong(buffer + LIMIT) != USUAL) {
            return false;
        }
        long entry = entry(buffer, id);
        long cursor = U.getLong(buffer + CURSOR);
        long whole = U.getLong(entry + WORD);
        long form = (long) letter << 8 | (long) length << 16;
        if (U.getLong(entry) != id || whole >= cursor || !isWhole(buffer + whole, id, form, bytes)) {
            return false;
        }
        long before = buffer + whole + FRONT;
        int at = mismatch(shown, base, null, before, 0, bytes);
        int end = Math.min(at + most, bytes);
        if (end < bytes && mismatch(shown, base, null, before, end, bytes) < bytes) {
            return false;
        }
        while (end - WORD >= at && U.getLongUnaligned(shown, base + end - WORD) == U.getLongUnaligned(null, before + end - WORD)) {
            end -= WORD;
        }
        while (end > at && U.getByte(shown, base + end - 1) == U.getByte(before + end - 1)) {
            end--;
        }
        int size = end - at;
        long padded = padded(size);
        long event = buffer + cursor;
        U.putLong(event + WORD, id);
        U.putLong(event + 2 * WORD, form | FORM_PATCHED);
        U.putLong(event + 3 * WORD, cursor - whole);
        U.putLong(event + 4 * WORD, size == 0 ? 0 : at | (long) size << 32);
        if (size != 0) {
            U.putLong(event + PATCH_FRONT + padded - WORD, 0);
            U.copyMemory(shown, base + at, null, event + PATCH_FRONT, size);
        }
        U.putLong(buffer + SCRATCH, cursor + PATCH_FRONT + padded);
        JinsiBuffer.close(0, KIND_CONTENT);
        return true;
    }

    /** Takes note that the last event has this array, of so many bytes, whole. */
    static void keep(long id, int letter, int length, int bytes) {
        long buffer = JinsiBuffer.buffer();
        if (bytes < LEAST || buffer == 0 || U.getLong(buffer + LIMIT) != USUAL) {
            return;
        }
        long whole = U.getLong(buffer + CURSOR) - FRONT - padded(bytes);
        // On a full stack its elements may be missing, or all of it.
        if (whole > 0 && isWhole(buffer + whole, id, (long) letter << 8 | (long) length << 16, bytes)) {
            long entry = entry(buffer, id);
            U.putLong(entry, id);
            U.putLong(entry + WORD, whole);
        }
    }

    /** Has the event at {@code event} all elements of this array? */
    private static boolean isWhole(long event, long id, long form, int bytes) {
        long words = (FRONT - WORD + padded(bytes)) >> 3;
        return U.getLong(event) == ((long) KIND_CONTENT << 32 | words << 48) && U.getLong(event + WORD) == id
            && U.getLong(event + 2 * WORD) == (form | FORM_PRIMITIVES);
    }

    private static long padded(int bytes) {
        return (bytes + WORD - 1) & -WORD;
    }

    private static long entry(long buffer, long id) {
        return buffer + USUAL + (id & PLACES - 1) * ENTRY;
    }

    /** The first place from {@code from} to {@code to} in which the two differ; {@code to} if there is none. Offsets are those of place 0. */
    private static int mismatch(Object a, long aBase, Object b, long bBase, int from, int to) {
        int found = ArraysSupport.vectorizedMismatch(a, aBase + from, b, bBase + from, to - from, 0);
        if (found >= 0) {
            return from + found;
        }
        int at = to - ~found;
        while (at < to && U.getByte(a, aBase + at) == U.getByte(b, bBase + at)) {
            at++;
        }
        return at;
    }
}
