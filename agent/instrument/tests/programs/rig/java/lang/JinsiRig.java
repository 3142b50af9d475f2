package java.lang;

import jdk.internal.misc.Unsafe;

/** Gives the main thread a buffer that no agent reads, and says what is in it. */
public final class JinsiRig {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final int HEADER = 64;
    private static final int SIZE = 64 << 10;
    private static final int THREADS = 1 << 10;

    private static long buffer;

    private JinsiRig() {}

    /** What {@link JinsiBuffer#init} does, without native methods. */
    public static void start() throws ReflectiveOperationException {
        long table = U.allocateMemory(THREADS * Long.BYTES);
        U.setMemory(table, THREADS * Long.BYTES, (byte) 0);
        buffer = U.allocateMemory(SIZE);
        U.setMemory(buffer, SIZE, (byte) 0);
        U.putLong(buffer + JinsiBuffer.LIMIT, SIZE);
        U.putLong(table + JinsiBuffer.currentTid() * Long.BYTES, buffer);
        set("table", table);
        set("tableSize", THREADS);
    }

    private static void set(String field, long value) throws ReflectiveOperationException {
        var found = JinsiBuffer.class.getDeclaredField(field);
        found.setAccessible(true);
        found.setLong(null, value);
    }

    /** The identity of an object, which the trace knows from now on. */
    public static long known(Object object) {
        long id = JinsiIds.id(object);
        JinsiIds.note(object, JinsiIds.DEFINED);
        return id;
    }

    /** Empties the buffer; what was in it stays where it was, as it does when the agent gives a buffer anew. */
    public static void empty() {
        U.putLong(buffer + JinsiBuffer.CURSOR, HEADER);
        U.putLong(buffer + JinsiBuffer.SCRATCH, 0);
    }

    /** The bytes of the events in the buffer, two digits each. */
    public static String written() {
        StringBuilder digits = new StringBuilder();
        long cursor = U.getLong(buffer + JinsiBuffer.CURSOR);
        for (long at = HEADER; at < cursor; at++) {
            digits.append(String.format("%02x", U.getByte(buffer + at)));
        }
        return digits.toString();
    }
}
