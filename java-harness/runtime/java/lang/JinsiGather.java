package java.lang;

import static java.lang.JinsiBuffer.CURSOR;
import static java.lang.JinsiBuffer.SCRATCH;
import static java.lang.JinsiBuffer.WORD;
import static java.lang.JinsiRaw.KIND_RUN;
import static java.lang.JinsiRaw.TAG_BITS;
import static java.lang.JinsiRaw.TAG_OBJECT;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;

/**
 * Events that tell of several accesses to memory at once ({@code detail=instructions}). The instrumented method has gathered their values in
 * locals, as words; so nothing is left to be done but to store them.
 */
public class JinsiGather extends JinsiEvent {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** What the trace has to know of an object that an event may name as it is. */
    private static final long SAID = JinsiIds.EPOCH | JinsiIds.DEFINED | JinsiIds.UNSETTLED;

    JinsiGather() {}

    /** The word of an array, which the trace knows from now on; of null, and where nothing can be recorded, 0. */
    @DontInline
    public static long id(Object array) {
        try {
            if (array == null) {
                return 0;
            }
            long word = JinsiIds.known(array);
            if ((word & SAID) == (JinsiIds.now() | JinsiIds.DEFINED)) {
                return word >>> JinsiIds.SHIFT << TAG_BITS | TAG_OBJECT;
            }
            return JinsiBuffer.buffer() == 0 ? 0 : JinsiObjects.identify(array) << TAG_BITS | TAG_OBJECT;
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return 0;
        }
    }

    /** Makes the event with so many words at {@code head} part of the trace. */
    static void ended(long buffer, long head, int site, long words) {
        U.putLong(head, site & 0xffffffffL | (long) KIND_RUN << 32 | words << 48);
        long cursor = head - buffer;
        U.putLong(buffer + SCRATCH, cursor);
        U.putLongRelease(null, buffer + CURSOR, cursor + WORD + (words << 3));
    }

    /** The same for what a local variable has, which may be no array: then it is 0. */
    public static long array(Object value) {
        return value == null || !value.getClass().isArray() ? 0 : id(value);
    }

    /**
     * The accesses of a run that was ended by an exception, before that: {@code at} is the bytecode index of what threw. The table has for
     * each access from and to where it is to be reported; kind, site, and number of operands; and for each of these its place among the
     * words, or none, and what is added to it.
     */
    @DontInline
    public static void interrupted(long v0, long v1, long v2, long v3, long v4, long v5, long v6, long v7, long v8, long v9,
                long v10, long v11, long v12, long v13, long v14, long v15, long v16, long v17, long v18, long v19, long v20,
                long v21, long v22, long v23, int at, String table) {
        try {
            int i = 0;
            while (i < table.length()) {
                boolean isDone = number(table, i) <= at && at <= number(table, i + 2);
                int kind = table.charAt(i + 4);
                int site = number(table, i + 5);
                int end = i + 8 + 2 * table.charAt(i + 7);
                i += 8;
                if (!isDone) {
                    i = end;
                    continue;
                }
                JinsiProbe.begin();
                for (; i < end; i += 2) {
                    long word = pick(table.charAt(i), v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15, v16,
                                v17, v18, v19, v20, v21, v22, v23);
                    int add = table.charAt(i + 1) - JinsiNumbers.TABLE_BIAS;
                    JinsiProbe.addLong(add == 0 ? word : (int) word + add);
                }
                JinsiProbe.end(site, kind);
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // left out
        }
    }

    private static int number(String table, int at) {
        return table.charAt(at) << JinsiNumbers.TABLE_BITS | table.charAt(at + 1);
    }
}
