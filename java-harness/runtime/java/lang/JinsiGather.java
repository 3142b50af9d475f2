package java.lang;

import static java.lang.JinsiBuffer.CURSOR;
import static java.lang.JinsiBuffer.SCRATCH;
import static java.lang.JinsiBuffer.WORD;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;

/**
 * Events that tell of several accesses to memory at once ({@code detail=instructions}). The instrumented method has gathered their values in
 * locals, as words; so nothing is left to be done but to store them.
 */
public class JinsiGather extends JinsiEvent {
    private static final Unsafe U = Unsafe.getUnsafe();

    private static final int KIND_RUN = 20;
    private static final int TAG_BITS = 3;
    private static final int TAG_OBJECT = 1;
    /** What is added to a number in a table of {@link #interrupted}, whose characters are not negative. */
    private static final int BIAS = 1 << 14;
    /** Bits of a number that one character of the table has. */
    private static final int BITS = 15;
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
    private static void ended(long buffer, long head, int site, long words) {
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
     * each access from and to where it is to be told of; kind, site, and number of operands; and for each of these its place among the
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
                    int add = table.charAt(i + 1) - BIAS;
                    JinsiProbe.j(add == 0 ? word : (int) word + add);
                }
                JinsiProbe.end(site, kind);
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // left out
        }
    }

    private static int number(String table, int at) {
        return table.charAt(at) << BITS | table.charAt(at + 1);
    }

    private static long pick(int place, long v0, long v1, long v2, long v3, long v4, long v5, long v6, long v7, long v8, long v9,
                long v10, long v11, long v12, long v13, long v14, long v15, long v16, long v17, long v18, long v19, long v20,
                long v21, long v22, long v23) {
        switch (place) {
            case 0:
                return v0;
            case 1:
                return v1;
            case 2:
                return v2;
            case 3:
                return v3;
            case 4:
                return v4;
            case 5:
                return v5;
            case 6:
                return v6;
            case 7:
                return v7;
            case 8:
                return v8;
            case 9:
                return v9;
            case 10:
                return v10;
            case 11:
                return v11;
            case 12:
                return v12;
            case 13:
                return v13;
            case 14:
                return v14;
            case 15:
                return v15;
            case 16:
                return v16;
            case 17:
                return v17;
            case 18:
                return v18;
            case 19:
                return v19;
            case 20:
                return v20;
            case 21:
                return v21;
            case 22:
                return v22;
            case 23:
                return v23;
            default:
                return 0;
        }
    }

    @DontInline
    public static void r(long v0, int site) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, 0);
            if (at != 0) {
                U.putLong(at, v0);
                ended(buffer, at - WORD, site, 1);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.j(v0);
        JinsiProbe.end(site, KIND_RUN);
    }

    @DontInline
    public static void r(long v0, long v1, int site) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, 0);
            if (at != 0) {
                U.putLong(at, v0);
                U.putLong(at + WORD, v1);
                ended(buffer, at - WORD, site, 2);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.j(v0);
        JinsiProbe.j(v1);
        JinsiProbe.end(site, KIND_RUN);
    }

    @DontInline
    public static void r(long v0, long v1, long v2, int site) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, 0);
            if (at != 0) {
                U.putLong(at, v0);
                U.putLong(at + WORD, v1);
                U.putLong(at + 2 * WORD, v2);
                ended(buffer, at - WORD, site, 3);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.j(v0);
        JinsiProbe.j(v1);
        JinsiProbe.j(v2);
        JinsiProbe.end(site, KIND_RUN);
    }

    @DontInline
    public static void r(long v0, long v1, long v2, long v3, int site) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, 0);
            if (at != 0) {
                U.putLong(at, v0);
                U.putLong(at + WORD, v1);
                U.putLong(at + 2 * WORD, v2);
                U.putLong(at + 3 * WORD, v3);
                ended(buffer, at - WORD, site, 4);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.j(v0);
        JinsiProbe.j(v1);
        JinsiProbe.j(v2);
        JinsiProbe.j(v3);
        JinsiProbe.end(site, KIND_RUN);
    }

    @DontInline
    public static void r(long v0, long v1, long v2, long v3, long v4, int site) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, 0);
            if (at != 0) {
                U.putLong(at, v0);
                U.putLong(at + WORD, v1);
                U.putLong(at + 2 * WORD, v2);
                U.putLong(at + 3 * WORD, v3);
                U.putLong(at + 4 * WORD, v4);
                ended(buffer, at - WORD, site, 5);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.j(v0);
        JinsiProbe.j(v1);
        JinsiProbe.j(v2);
        JinsiProbe.j(v3);
        JinsiProbe.j(v4);
        JinsiProbe.end(site, KIND_RUN);
    }

    @DontInline
    public static void r(long v0, long v1, long v2, long v3, long v4, long v5, int site) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, 0);
            if (at != 0) {
                U.putLong(at, v0);
                U.putLong(at + WORD, v1);
                U.putLong(at + 2 * WORD, v2);
                U.putLong(at + 3 * WORD, v3);
                U.putLong(at + 4 * WORD, v4);
                U.putLong(at + 5 * WORD, v5);
                ended(buffer, at - WORD, site, 6);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.j(v0);
        JinsiProbe.j(v1);
        JinsiProbe.j(v2);
        JinsiProbe.j(v3);
        JinsiProbe.j(v4);
        JinsiProbe.j(v5);
        JinsiProbe.end(site, KIND_RUN);
    }

    @DontInline
    public static void r(long v0, long v1, long v2, long v3, long v4, long v5, long v6, int site) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, 0);
            if (at != 0) {
                U.putLong(at, v0);
                U.putLong(at + WORD, v1);
                U.putLong(at + 2 * WORD, v2);
                U.putLong(at + 3 * WORD, v3);
                U.putLong(at + 4 * WORD, v4);
                U.putLong(at + 5 * WORD, v5);
                U.putLong(at + 6 * WORD, v6);
                ended(buffer, at - WORD, site, 7);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.j(v0);
        JinsiProbe.j(v1);
        JinsiProbe.j(v2);
        JinsiProbe.j(v3);
        JinsiProbe.j(v4);
        JinsiProbe.j(v5);
        JinsiProbe.j(v6);
        JinsiProbe.end(site, KIND_RUN);
    }

    @DontInline
    public static void r(long v0, long v1, long v2, long v3, long v4, long v5, long v6, long v7, int site) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, 0);
            if (at != 0) {
                U.putLong(at, v0);
                U.putLong(at + WORD, v1);
                U.putLong(at + 2 * WORD, v2);
                U.putLong(at + 3 * WORD, v3);
                U.putLong(at + 4 * WORD, v4);
                U.putLong(at + 5 * WORD, v5);
                U.putLong(at + 6 * WORD, v6);
                U.putLong(at + 7 * WORD, v7);
                ended(buffer, at - WORD, site, 8);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.j(v0);
        JinsiProbe.j(v1);
        JinsiProbe.j(v2);
        JinsiProbe.j(v3);
        JinsiProbe.j(v4);
        JinsiProbe.j(v5);
        JinsiProbe.j(v6);
        JinsiProbe.j(v7);
        JinsiProbe.end(site, KIND_RUN);
    }

    @DontInline
    public static void r(long v0, long v1, long v2, long v3, long v4, long v5, long v6, long v7, long v8, int site) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, 0);
            if (at != 0) {
                U.putLong(at, v0);
                U.putLong(at + WORD, v1);
                U.putLong(at + 2 * WORD, v2);
                U.putLong(at + 3 * WORD, v3);
                U.putLong(at + 4 * WORD, v4);
                U.putLong(at + 5 * WORD, v5);
                U.putLong(at + 6 * WORD, v6);
                U.putLong(at + 7 * WORD, v7);
                U.putLong(at + 8 * WORD, v8);
                ended(buffer, at - WORD, site, 9);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.j(v0);
        JinsiProbe.j(v1);
        JinsiProbe.j(v2);
        JinsiProbe.j(v3);
        JinsiProbe.j(v4);
        JinsiProbe.j(v5);
        JinsiProbe.j(v6);
        JinsiProbe.j(v7);
        JinsiProbe.j(v8);
        JinsiProbe.end(site, KIND_RUN);
    }

    @DontInline
    public static void r(long v0, long v1, long v2, long v3, long v4, long v5, long v6, long v7, long v8, long v9, int site) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, 0);
            if (at != 0) {
                U.putLong(at, v0);
                U.putLong(at + WORD, v1);
                U.putLong(at + 2 * WORD, v2);
                U.putLong(at + 3 * WORD, v3);
                U.putLong(at + 4 * WORD, v4);
                U.putLong(at + 5 * WORD, v5);
                U.putLong(at + 6 * WORD, v6);
                U.putLong(at + 7 * WORD, v7);
                U.putLong(at + 8 * WORD, v8);
                U.putLong(at + 9 * WORD, v9);
                ended(buffer, at - WORD, site, 10);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.j(v0);
        JinsiProbe.j(v1);
        JinsiProbe.j(v2);
        JinsiProbe.j(v3);
        JinsiProbe.j(v4);
        JinsiProbe.j(v5);
        JinsiProbe.j(v6);
        JinsiProbe.j(v7);
        JinsiProbe.j(v8);
        JinsiProbe.j(v9);
        JinsiProbe.end(site, KIND_RUN);
    }

    @DontInline
    public static void r(long v0, long v1, long v2, long v3, long v4, long v5, long v6, long v7, long v8, long v9, long v10, int site) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, 0);
            if (at != 0) {
                U.putLong(at, v0);
                U.putLong(at + WORD, v1);
                U.putLong(at + 2 * WORD, v2);
                U.putLong(at + 3 * WORD, v3);
                U.putLong(at + 4 * WORD, v4);
                U.putLong(at + 5 * WORD, v5);
                U.putLong(at + 6 * WORD, v6);
                U.putLong(at + 7 * WORD, v7);
                U.putLong(at + 8 * WORD, v8);
                U.putLong(at + 9 * WORD, v9);
                U.putLong(at + 10 * WORD, v10);
                ended(buffer, at - WORD, site, 11);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.j(v0);
        JinsiProbe.j(v1);
        JinsiProbe.j(v2);
        JinsiProbe.j(v3);
        JinsiProbe.j(v4);
        JinsiProbe.j(v5);
        JinsiProbe.j(v6);
        JinsiProbe.j(v7);
        JinsiProbe.j(v8);
        JinsiProbe.j(v9);
        JinsiProbe.j(v10);
        JinsiProbe.end(site, KIND_RUN);
    }

    @DontInline
    public static void r(long v0, long v1, long v2, long v3, long v4, long v5, long v6, long v7, long v8, long v9, long v10,
            long v11, int site) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, 0);
            if (at != 0) {
                U.putLong(at, v0);
                U.putLong(at + WORD, v1);
                U.putLong(at + 2 * WORD, v2);
                U.putLong(at + 3 * WORD, v3);
                U.putLong(at + 4 * WORD, v4);
                U.putLong(at + 5 * WORD, v5);
                U.putLong(at + 6 * WORD, v6);
                U.putLong(at + 7 * WORD, v7);
                U.putLong(at + 8 * WORD, v8);
                U.putLong(at + 9 * WORD, v9);
                U.putLong(at + 10 * WORD, v10);
                U.putLong(at + 11 * WORD, v11);
                ended(buffer, at - WORD, site, 12);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.j(v0);
        JinsiProbe.j(v1);
        JinsiProbe.j(v2);
        JinsiProbe.j(v3);
        JinsiProbe.j(v4);
        JinsiProbe.j(v5);
        JinsiProbe.j(v6);
        JinsiProbe.j(v7);
        JinsiProbe.j(v8);
        JinsiProbe.j(v9);
        JinsiProbe.j(v10);
        JinsiProbe.j(v11);
        JinsiProbe.end(site, KIND_RUN);
    }

    @DontInline
    public static void r(long v0, long v1, long v2, long v3, long v4, long v5, long v6, long v7, long v8, long v9, long v10,
            long v11, long v12, int site) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, 0);
            if (at != 0) {
                U.putLong(at, v0);
                U.putLong(at + WORD, v1);
                U.putLong(at + 2 * WORD, v2);
                U.putLong(at + 3 * WORD, v3);
                U.putLong(at + 4 * WORD, v4);
                U.putLong(at + 5 * WORD, v5);
                U.putLong(at + 6 * WORD, v6);
                U.putLong(at + 7 * WORD, v7);
                U.putLong(at + 8 * WORD, v8);
                U.putLong(at + 9 * WORD, v9);
                U.putLong(at + 10 * WORD, v10);
                U.putLong(at + 11 * WORD, v11);
                U.putLong(at + 12 * WORD, v12);
                ended(buffer, at - WORD, site, 13);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.j(v0);
        JinsiProbe.j(v1);
        JinsiProbe.j(v2);
        JinsiProbe.j(v3);
        JinsiProbe.j(v4);
        JinsiProbe.j(v5);
        JinsiProbe.j(v6);
        JinsiProbe.j(v7);
        JinsiProbe.j(v8);
        JinsiProbe.j(v9);
        JinsiProbe.j(v10);
        JinsiProbe.j(v11);
        JinsiProbe.j(v12);
        JinsiProbe.end(site, KIND_RUN);
    }

    @DontInline
    public static void r(long v0, long v1, long v2, long v3, long v4, long v5, long v6, long v7, long v8, long v9, long v10,
            long v11, long v12, long v13, int site) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, 0);
            if (at != 0) {
                U.putLong(at, v0);
                U.putLong(at + WORD, v1);
                U.putLong(at + 2 * WORD, v2);
                U.putLong(at + 3 * WORD, v3);
                U.putLong(at + 4 * WORD, v4);
                U.putLong(at + 5 * WORD, v5);
                U.putLong(at + 6 * WORD, v6);
                U.putLong(at + 7 * WORD, v7);
                U.putLong(at + 8 * WORD, v8);
                U.putLong(at + 9 * WORD, v9);
                U.putLong(at + 10 * WORD, v10);
                U.putLong(at + 11 * WORD, v11);
                U.putLong(at + 12 * WORD, v12);
                U.putLong(at + 13 * WORD, v13);
                ended(buffer, at - WORD, site, 14);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.j(v0);
        JinsiProbe.j(v1);
        JinsiProbe.j(v2);
        JinsiProbe.j(v3);
        JinsiProbe.j(v4);
        JinsiProbe.j(v5);
        JinsiProbe.j(v6);
        JinsiProbe.j(v7);
        JinsiProbe.j(v8);
        JinsiProbe.j(v9);
        JinsiProbe.j(v10);
        JinsiProbe.j(v11);
        JinsiProbe.j(v12);
        JinsiProbe.j(v13);
        JinsiProbe.end(site, KIND_RUN);
    }

    @DontInline
    public static void r(long v0, long v1, long v2, long v3, long v4, long v5, long v6, long v7, long v8, long v9, long v10,
            long v11, long v12, long v13, long v14, int site) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, 0);
            if (at != 0) {
                U.putLong(at, v0);
                U.putLong(at + WORD, v1);
                U.putLong(at + 2 * WORD, v2);
                U.putLong(at + 3 * WORD, v3);
                U.putLong(at + 4 * WORD, v4);
                U.putLong(at + 5 * WORD, v5);
                U.putLong(at + 6 * WORD, v6);
                U.putLong(at + 7 * WORD, v7);
                U.putLong(at + 8 * WORD, v8);
                U.putLong(at + 9 * WORD, v9);
                U.putLong(at + 10 * WORD, v10);
                U.putLong(at + 11 * WORD, v11);
                U.putLong(at + 12 * WORD, v12);
                U.putLong(at + 13 * WORD, v13);
                U.putLong(at + 14 * WORD, v14);
                ended(buffer, at - WORD, site, 15);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.j(v0);
        JinsiProbe.j(v1);
        JinsiProbe.j(v2);
        JinsiProbe.j(v3);
        JinsiProbe.j(v4);
        JinsiProbe.j(v5);
        JinsiProbe.j(v6);
        JinsiProbe.j(v7);
        JinsiProbe.j(v8);
        JinsiProbe.j(v9);
        JinsiProbe.j(v10);
        JinsiProbe.j(v11);
        JinsiProbe.j(v12);
        JinsiProbe.j(v13);
        JinsiProbe.j(v14);
        JinsiProbe.end(site, KIND_RUN);
    }

    @DontInline
    public static void r(long v0, long v1, long v2, long v3, long v4, long v5, long v6, long v7, long v8, long v9, long v10,
            long v11, long v12, long v13, long v14, long v15, int site) {
        try {
            long buffer = JinsiBuffer.buffer();
            if (buffer == 0) {
                return;
            }
            long at = JinsiFast.begin(buffer, 0);
            if (at != 0) {
                U.putLong(at, v0);
                U.putLong(at + WORD, v1);
                U.putLong(at + 2 * WORD, v2);
                U.putLong(at + 3 * WORD, v3);
                U.putLong(at + 4 * WORD, v4);
                U.putLong(at + 5 * WORD, v5);
                U.putLong(at + 6 * WORD, v6);
                U.putLong(at + 7 * WORD, v7);
                U.putLong(at + 8 * WORD, v8);
                U.putLong(at + 9 * WORD, v9);
                U.putLong(at + 10 * WORD, v10);
                U.putLong(at + 11 * WORD, v11);
                U.putLong(at + 12 * WORD, v12);
                U.putLong(at + 13 * WORD, v13);
                U.putLong(at + 14 * WORD, v14);
                U.putLong(at + 15 * WORD, v15);
                ended(buffer, at - WORD, site, 16);
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        JinsiProbe.begin();
        JinsiProbe.j(v0);
        JinsiProbe.j(v1);
        JinsiProbe.j(v2);
        JinsiProbe.j(v3);
        JinsiProbe.j(v4);
        JinsiProbe.j(v5);
        JinsiProbe.j(v6);
        JinsiProbe.j(v7);
        JinsiProbe.j(v8);
        JinsiProbe.j(v9);
        JinsiProbe.j(v10);
        JinsiProbe.j(v11);
        JinsiProbe.j(v12);
        JinsiProbe.j(v13);
        JinsiProbe.j(v14);
        JinsiProbe.j(v15);
        JinsiProbe.end(site, KIND_RUN);
    }
}
