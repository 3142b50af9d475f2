package java.lang;

import jdk.internal.misc.Unsafe;

/**
 * What rewritten classes call. Lives in {@code java.base} so that every class of every loader and module reaches it.
 *
 * <p>An event is written as {@link #begin()}, one call a value, {@link #end(int, int)}. Values go behind the buffer's cursor and
 * become part of the trace only when {@code end} moves the cursor, so an event is whole or not there whatever interrupts it. The
 * layout is the one of {@code trace/src/raw.rs}.
 *
 * <p>Nothing here may call code that could itself be observed, allocate on the common path, or throw into the program: every public
 * method swallows what goes wrong inside it. On a nearly full stack that is common, because a probe goes a little deeper than the
 * code around it. An event of which a part is missing does not fit its site and is left out by the reader, who counts it.
 */
public final class JinsiProbe {
    private static final Unsafe U = Unsafe.getUnsafe();

    private static final int HEADER_BYTES = 64;
    private static final int CURSOR = 0;
    private static final int LIMIT = 8;
    private static final int SCRATCH = 40;
    /**
     * Thread-private word of the buffer header. Its low two bits say whose code runs. Above them, the innermost lowest, is a bit for
     * each open activation: was it called by code that may have synchronized with other threads? Activations of which nothing is
     * known count as such, so the word begins with ones.
     */
    private static final int STATE = 48;
    /** Thread-private word of the buffer header: the thread's last stamp, see {@link JinsiOrder}. */
    private static final int STAMP = 56;

    /**
     * Thread-private half word of the buffer header. Its low four bits are 1 from a call that may reach observed code until it does;
     * above them is what class initializers that are running found there.
     */
    private static final int AWAY = 36;
    private static final int AWAY_BITS = 4;

    /** The low bits of {@link #STATE}. */
    private static final long WHOSE = 3;
    /** The environment runs, and may synchronize with other threads. */
    private static final long ENVIRONMENT = 0;
    /** Observed code runs. */
    private static final long INSIDE = 1;
    /** The environment runs, but does not synchronize; or a call between observed methods is on its way. */
    private static final long QUIET = 2;
    /** In {@link #STATE}: the innermost activation was called by the environment. */
    private static final long CALLED_FROM_OUTSIDE = 4;

    /** Room that {@link #begin()} guarantees: the header, a Define event and 255 one-word operands twice over. */
    private static final int ROOM = 8192;
    private static final int WORD = 8;
    private static final long LONG_EVENT = 0xffff;

    private static final int TAG_OBJECT = 1;
    private static final int TAG_STRING = 2;
    private static final int TAG_CLASS = 3;
    private static final int TAG_BOX = 4;
    private static final int TAG_PRIM = 5;

    private static final int KIND_ENTER = 1;
    private static final int KIND_EXIT = 3;
    private static final int KIND_CATCH = 5;
    private static final int KIND_DEFINE = 14;
    private static final int KIND_CONTENT = 15;
    private static final int KIND_UNCAUGHT = 16;
    private static final int KIND_ORDER = 17;

    private static final long TID = U.objectFieldOffset(Thread.class, "tid");
    /** Flag of {@link #class0}: the class comes with the JDK. */
    private static final int JDK = 1 << 16;

    /** Causes may form a circle. */
    private static final int CAUSES = 16;

    private static final int PART_MESSAGE = 0;
    private static final int PART_CAUSE = 1;
    private static final int PART_TRACE = 2;

    /** In place of an address: this thread gets no buffer. */
    private static final long REFUSED = 1;

    /** Addresses of the threads' buffers, indexed by thread id; 0 where there is none yet. */
    private static long table;
    /** Number of entries of {@link #table}. */
    private static long tableSize;
    private static final long BYTES = JinsiContent.base(byte[].class);

    /** Further throwables are described without their frames. Racy: a frame more or less does no harm. */
    private static boolean brief;

    private JinsiProbe() {}

    /**
     * Called by the agent once, before any class is rewritten. Touches every native method so that none is looked up (which
     * runs Java code) inside an event.
     */
    static void init(long tableAddress, long tableEntries) {
        JinsiIds.of(new Object());
        JinsiContent.warmUp();
        JinsiOrder.init();
        JinsiOrder.quiet(new Object());
        JinsiInherited.warmUp();
        // Classes that describing a throwable initializes: on a full stack that would fail, and for good.
        describe(new Throwable(), 0L, true);
        CLASS_NUMBERS.get(Object.class);
        open0(-1, null);
        roll0(-1, 0);
        class0(null, null, null, 0);
        throwable0(0, 0, null, false);
        fails0(null);
        part0(null, PART_MESSAGE);
        loss0(-1);
        JinsiReflection.warmUp();
        JinsiFields.warmUp();
        table = tableAddress;
        tableSize = tableEntries;
    }

    /** Gives the thread {@code tid} a buffer; 0 if the recording has ended or cannot go on. */
    private static native long open0(long tid, String name);

    /** Replaces the buffer of {@code tid} by one with room for {@code bytes} more; the event being written moves along. */
    private static native long roll0(long tid, long bytes);

    /** Number of a class in the trace's class table. */
    private static native int class0(String name, String superName, String interfaces, int flags);

    /**
     * Puts a throwable into the trace's table; {@code text} has its parts separated by U+0000. True if stack traces have become so
     * many that further ones are to be recorded of failures only.
     */
    private static native boolean throwable0(long tid, long id, String text, boolean uncaught);

    /** Do {@code classes}, a class and its superclasses, count as a failure when thrown? */
    private static native boolean fails0(String classes);

    /** A part of a throwable as {@code Throwable} itself stores or makes it, whatever subclasses override. */
    private static native Object part0(Throwable throwable, int part);

    /** Counts something that was not recorded. */
    private static native void loss0(int what);

    /**
     * Do methods of this class, unless they call back, neither wait for other threads nor let them go on? {@code boot}: it is of the
     * boot loader. The JDK's plain classes do not; nor does recorded code, whose own synchronization is recorded.
     */
    static native boolean quiet0(String name, boolean boot);

    private static long buffer() {
        Thread thread = Thread.currentThread();
        if (thread == null) {
            return 0;
        }
        long tid = U.getLong(thread, TID);
        if (tid >= tableSize) {
            return 0;
        }
        long buffer = U.getLong(table + (tid << 3));
        if (buffer > REFUSED) {
            return buffer;
        }
        if (buffer == REFUSED) {
            return 0;
        }
        buffer = open0(tid, thread.getName());
        if (buffer != 0) {
            JinsiOrder.opened();
        }
        return buffer;
    }

    private static long roll(long bytes) {
        return roll0(currentTid(), bytes);
    }

    /** Id of the current thread, as it indexes the table. */
    static long currentTid() {
        return U.getLong(Thread.currentThread(), TID);
    }

    /** Begins an event. */
    public static void begin() {
        try {
            open();
        } catch (Throwable ignored) {
            // see the class comment; so everywhere below
        }
    }

    private static void open() {
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

    private static void word(long value) {
        long buffer = buffer();
        if (buffer == 0) {
            return;
        }
        long scratch = U.getLong(buffer + SCRATCH);
        if (scratch + WORD > U.getLong(buffer + LIMIT)) {
            return; // begin made no room, which happens on a full stack; the event is left out
        }
        U.putLong(buffer + scratch, value);
        U.putLong(buffer + SCRATCH, scratch + WORD);
    }

    /** A value of type boolean, byte, char, short or int. */
    public static void i(int value) {
        try {
            word(value);
        } catch (Throwable ignored) {
            // left out
        }
    }

    /** A long. */
    public static void j(long value) {
        try {
            word(value);
        } catch (Throwable ignored) {
            // left out
        }
    }

    /** A float. */
    public static void f(float value) {
        try {
            word(Float.floatToRawIntBits(value) & 0xffffffffL);
        } catch (Throwable ignored) {
            // left out
        }
    }

    /** A double. */
    public static void d(double value) {
        try {
            word(Double.doubleToRawLongBits(value));
        } catch (Throwable ignored) {
            // left out
        }
    }

    /** A reference: strings and boxes by content, classes by number, everything else by identity. */
    public static void a(Object value) {
        try {
            reference(value);
        } catch (Throwable ignored) {
            // left out
        }
    }

    private static void reference(Object value) {
        if (!immediate(value)) {
            word(identify(value) << 3 | TAG_OBJECT);
        }
    }

    /** Writes what needs no identity. */
    private static boolean immediate(Object value) {
        if (value == null) {
            word(0);
        } else if (value instanceof String) {
            string((String) value);
        } else if (value instanceof Class) {
            word((long) classNo((Class<?>) value) << 3 | TAG_CLASS);
        } else {
            return box(value);
        }
        return true;
    }

    private static boolean box(Object value) {
        // A comparison of classes, not a chain of instanceof: most values are no boxes and this is one load.
        Class<?> type = value.getClass();
        if (type == Integer.class) {
            box('I', (Integer) value);
        } else if (type == Long.class) {
            box('J', (Long) value);
        } else if (type == Boolean.class) {
            box('Z', (Boolean) value ? 1 : 0);
        } else if (type == Double.class) {
            box('D', Double.doubleToRawLongBits((Double) value));
        } else if (type == Character.class) {
            box('C', (Character) value);
        } else if (type == Byte.class) {
            box('B', (Byte) value);
        } else if (type == Short.class) {
            box('S', (Short) value);
        } else if (type == Float.class) {
            box('F', Float.floatToRawIntBits((Float) value) & 0xffffffffL);
        } else {
            return false;
        }
        return true;
    }

    private static void box(char letter, long bits) {
        word((long) letter << 3 | TAG_BOX);
        word(bits);
    }

    private static void string(String text) {
        byte[] bytes = text.value();
        long padded = (bytes.length + 7L) & ~7L;
        long buffer = room(WORD + padded);
        if (buffer == 0) {
            return;
        }
        long scratch = U.getLong(buffer + SCRATCH);
        U.putLong(buffer + scratch, (long) bytes.length << 4 | (long) text.coder() << 3 | TAG_STRING);
        if (padded != 0) {
            // The last word first: its tail must be zero, and buffers are used again.
            U.putLong(buffer + scratch + padded, 0);
            U.copyMemory(bytes, BYTES, null, buffer + scratch + WORD, bytes.length);
        }
        U.putLong(buffer + SCRATCH, scratch + WORD + padded);
    }

    /** Makes sure that {@code bytes} and a begin's worth more fit behind the event being written. */
    private static long room(long bytes) {
        long buffer = buffer();
        if (buffer != 0 && U.getLong(buffer + SCRATCH) + bytes + ROOM > U.getLong(buffer + LIMIT)) {
            buffer = roll(bytes + ROOM);
        }
        return buffer;
    }

    /** Ends the event: from here on it is in the trace. */
    public static void end(int site, int kind) {
        try {
            close(site, kind);
        } catch (Throwable ignored) {
            // left out
        }
    }

    private static void close(int site, int kind) {
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

    /** Ends an event after which observed code runs. */
    public static void endInside(int site, int kind) {
        try {
            closeInside(site, kind);
        } catch (Throwable ignored) {
            // left out
        }
    }

    /** Ends an event after which the environment runs. */
    public static void endOutside(int site, int kind) {
        try {
            closeOutside(site, kind);
        } catch (Throwable ignored) {
            // left out
        }
    }

    /** Ends an event after which a method of {@code receiver} runs. */
    public static void endCall(Object receiver, int site, int kind) {
        try {
            if (JinsiOrder.shared() && JinsiOrder.quiet(receiver)) {
                close(site, kind);
                runs(QUIET);
            } else {
                closeOutside(site, kind);
            }
        } catch (Throwable ignored) {
            // left out
        }
    }

    /** Ends an event after which something runs that does not synchronize with other threads, or records it if it does. */
    public static void endQuiet(int site, int kind) {
        try {
            close(site, kind);
            runs(QUIET);
        } catch (Throwable ignored) {
            // left out
        }
    }

    private static void closeInside(int site, int kind) {
        if (JinsiOrder.shared()) {
            entering(kind);
        }
        close(site, kind);
        runs(INSIDE);
        if (kind == KIND_ENTER) {
            away(0);
        }
    }

    private static void closeOutside(int site, int kind) {
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

    /** An event without values. */
    public static void event(int site, int kind) {
        try {
            open();
            close(site, kind);
        } catch (Throwable ignored) {
            // left out
        }
    }

    /** An event without values after which observed code runs. */
    public static void eventInside(int site, int kind) {
        try {
            open();
            closeInside(site, kind);
        } catch (Throwable ignored) {
            // left out
        }
    }

    /** An event without values after which the environment runs. */
    public static void eventOutside(int site, int kind) {
        try {
            open();
            closeOutside(site, kind);
        } catch (Throwable ignored) {
            // left out
        }
    }

    /** A throwable that observed code throws on ({@code kind} ExitThrow) or handles (Catch). */
    public static void thrown(Object throwable, int site, int kind) {
        try {
            open();
            reference(throwable);
            if (kind == KIND_CATCH) {
                closeInside(site, kind);
                forget();
            } else {
                close(site, kind);
                left(true);
            }
            describe((Throwable) throwable, CAUSES, false);
        } catch (Throwable ignored) {
            // left out, or described later
        }
    }

    /** A throwable that ends its thread; called from {@code Thread.dispatchUncaughtException}. */
    public static void uncaught(Throwable throwable) {
        try {
            if (table == 0 || throwable == null) {
                return;
            }
            describe(throwable, CAUSES, true);
            throwable0(currentTid(), JinsiIds.of(throwable).id, null, true);
            open();
            reference(throwable);
            close(0, KIND_UNCAUGHT);
        } catch (Throwable ignored) {
            // left out
        }
    }

    private static void runs(long whose) {
        long buffer = buffer();
        if (buffer != 0) {
            U.putLong(buffer + STATE, U.getLong(buffer + STATE) & ~WHOSE | whose);
        }
    }

    /** A call begins of which it is not known whether its callee is recorded. */
    public static void away() {
        try {
            away(1);
        } catch (Throwable ignored) {
            // left out
        }
    }

    private static void away(int value) {
        long buffer = buffer();
        if (buffer != 0) {
            U.putInt(buffer + AWAY, U.getInt(buffer + AWAY) & -1 << AWAY_BITS | value);
        }
    }

    /** Ends the event with which a class initializer begins. The JVM runs it in the middle of whatever it does. */
    public static void endIntoInitializer(int site, int kind) {
        try {
            long buffer = buffer();
            int found = buffer == 0 ? 0 : U.getInt(buffer + AWAY);
            closeInside(site, kind);
            buffer = buffer();
            if (buffer != 0) {
                U.putInt(buffer + AWAY, found << AWAY_BITS);
            }
        } catch (Throwable ignored) {
            // left out
        }
    }

    /** A class initializer returns. */
    public static void eventBackFromInitializer(int site, int kind) {
        eventOutside(site, kind);
        backFromInitializer();
    }

    /** A class initializer ends by an exception. */
    public static void thrownFromInitializer(Object throwable, int site, int kind) {
        thrown(throwable, site, kind);
        backFromInitializer();
    }

    private static void backFromInitializer() {
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
    private static void entering(int kind) {
        long buffer = buffer();
        if (buffer == 0) {
            return;
        }
        boolean outside = (U.getLong(buffer + STATE) & WHOSE) == ENVIRONMENT;
        if (outside) {
            acquire();
        }
        if (kind == KIND_ENTER) {
            buffer = buffer();
            long open = (U.getLong(buffer + STATE) & ~WHOSE) << 1;
            U.putLong(buffer + STATE, outside ? open | CALLED_FROM_OUTSIDE : open);
        }
    }

    /** An activation has ended; an exception may have ended others before that nobody was told of. */
    private static void left(boolean thrown) {
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
    private static void forget() {
        long buffer = buffer();
        if (buffer != 0) {
            U.putLong(buffer + STATE, ~WHOSE | INSIDE);
        }
    }

    /** What comes now is not before what other threads did until now: a monitor was entered, a volatile field was read. */
    public static void acquired() {
        try {
            if (JinsiOrder.shared()) {
                acquire();
            }
        } catch (Throwable ignored) {
            // left out
        }
    }

    /** What came until now may become visible to other threads: a monitor is to be left, a volatile field to be written. */
    public static void releasing() {
        try {
            if (JinsiOrder.shared()) {
                release();
            }
        } catch (Throwable ignored) {
            // left out
        }
    }

    private static void acquire() {
        long buffer = buffer();
        if (buffer != 0) {
            long last = U.getLong(buffer + STAMP);
            stamp(last, JinsiOrder.seen(last));
        }
    }

    private static void release() {
        long buffer = buffer();
        if (buffer != 0) {
            long last = U.getLong(buffer + STAMP);
            stamp(last, JinsiOrder.drawn(last));
        }
    }

    /** Puts an Order event in front of the event being written. */
    private static void stamp(long last, long stamp) {
        if (stamp == last) {
            return;
        }
        long at = insert(2 * WORD);
        if (at != 0) {
            U.putLong(at, (long) KIND_ORDER << 32 | 1L << 48);
            U.putLong(at + WORD, stamp);
            inserted(2 * WORD);
            U.putLong(buffer() + STAMP, stamp);
        }
    }

    /** Content of an argument that comes from the environment: recorded only if the caller is not observed code. */
    public static void argument(Object value) {
        try {
            if (value != null) {
                long buffer = buffer();
                if (buffer != 0 && (U.getLong(buffer + STATE) & WHOSE) != INSIDE) {
                    JinsiContent.record(value);
                }
            }
        } catch (Throwable ignored) {
            // left out
        }
    }

    /** Content of an array or natural object that has been with a callee which turned out not to be recorded. */
    public static void crossed(Object value) {
        try {
            if (value != null) {
                long buffer = buffer();
                if (buffer != 0 && (U.getInt(buffer + AWAY) & (1 << AWAY_BITS) - 1) != 0) {
                    JinsiContent.record(value);
                }
            }
        } catch (Throwable ignored) {
            // left out
        }
    }

    /** Content of an array or natural object that has been with the environment. */
    public static void content(Object value) {
        try {
            if (value != null) {
                JinsiContent.record(value);
            }
        } catch (Throwable ignored) {
            // left out
        }
    }

    /** An object whose constructor says itself that it exists from now on: nothing of what it holds is recorded. */
    public static void own(Object value) {
        try {
            JinsiIds.Entry entry = JinsiIds.of(value);
            if (!entry.defined) {
                define(entry, value);
            }
            word(entry.id << 3 | TAG_OBJECT);
        } catch (Throwable ignored) {
            // left out
        }
    }

    /** An object without recorded constructor has been changed by code that is not recorded. */
    public static void fields(Object value) {
        try {
            if (value != null && JinsiFields.concern(value.getClass())) {
                JinsiFields.record(value, false);
            }
        } catch (Throwable ignored) {
            // left out
        }
    }

    /** Identity of an object; its Define event is written when it is first seen. */
    static long identify(Object value) {
        return identify(value, null);
    }

    /** ... and the fields of one that no constructor has told of are recorded: by {@code walk} if there is one, else now. */
    static long identify(Object value, JinsiFields.Unmade walk) {
        JinsiIds.Entry entry = JinsiIds.of(value);
        if (!entry.defined) {
            define(entry, value);
            if (JinsiFields.concern(value.getClass()) && !(value instanceof Enum)) {
                if (walk == null) {
                    JinsiFields.record(value, false);
                } else {
                    entry.unsettled = !walk.settles;
                    walk.add(value);
                }
            }
        } else if (entry.unsettled) {
            if (walk == null && comesIn()) {
                entry.unsettled = false;
                JinsiFields.record(value, true);
            } else if (walk != null && walk.settles) {
                entry.unsettled = false;
                walk.add(value);
            }
        }
        return entry.id;
    }

    /** Does the environment run, so that what is named now comes in from there? */
    private static boolean comesIn() {
        long buffer = buffer();
        return buffer != 0 && (U.getLong(buffer + STATE) & WHOSE) != INSIDE;
    }

    /** Takes the event being written out of the buffer, so that others can be written before it. */
    static byte[] suspend() {
        long buffer = buffer();
        if (buffer == 0) {
            return null;
        }
        long cursor = U.getLong(buffer + CURSOR);
        long scratch = U.getLong(buffer + SCRATCH);
        if (scratch <= cursor) {
            return null;
        }
        byte[] held = new byte[(int) (scratch - cursor)];
        U.copyMemory(null, buffer + cursor, held, BYTES, held.length);
        return held;
    }

    /** Puts back what {@link #suspend()} took. */
    static void resume(byte[] held) {
        if (held == null) {
            return;
        }
        open();
        long buffer = room(held.length);
        if (buffer != 0) {
            long cursor = U.getLong(buffer + CURSOR);
            U.copyMemory(held, BYTES, null, buffer + cursor, held.length);
            U.putLong(buffer + SCRATCH, cursor + held.length);
        }
    }

    private static void define(JinsiIds.Entry entry, Object value) {
        Class<?> type = value.getClass();
        long classNo = classNo(type);
        long length = type.isArray() ? JinsiContent.length(value) + 1L : 0;
        long at = insert(3 * WORD);
        if (at == 0) {
            return;
        }
        U.putLong(at, (long) KIND_DEFINE << 32 | 2L << 48);
        U.putLong(at + WORD, entry.id);
        U.putLong(at + 2 * WORD, classNo | length << 32);
        inserted(3 * WORD);
        entry.defined = true;
        if (value instanceof Enum) {
            name(entry.id, ((Enum<?>) value).name());
        } else {
            String member = JinsiNames.of(value);
            if (member != null) {
                name(entry.id, member);
            }
        }
    }

    /** The content event that names an enum constant, or the member that a reflective object stands for. */
    private static void name(long id, String name) {
        byte[] bytes = name.value();
        long padded = (bytes.length + 7L) & ~7L;
        long at = insert(4 * WORD + padded);
        if (at == 0) {
            return;
        }
        U.putLong(at, (long) KIND_CONTENT << 32 | 3 + (padded >> 3) << 48);
        U.putLong(at + WORD, id);
        U.putLong(at + 2 * WORD, JinsiContent.TEXT | 1L << 16);
        U.putLong(at + 3 * WORD, (long) bytes.length << 4 | (long) name.coder() << 3 | TAG_STRING);
        if (padded != 0) {
            U.putLong(at + 3 * WORD + padded, 0);
            U.copyMemory(bytes, BYTES, null, at + 4 * WORD, bytes.length);
        }
        inserted(4 * WORD + padded);
    }

    /** Opens a gap in front of the event being written, which moves up; its address, 0 if there is no room to be had. */
    private static long insert(long bytes) {
        long buffer = room(bytes);
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
    private static void inserted(long bytes) {
        long buffer = buffer();
        U.putLong(buffer + SCRATCH, U.getLong(buffer + SCRATCH) + bytes);
        U.putLongRelease(null, buffer + CURSOR, U.getLong(buffer + CURSOR) + bytes);
    }

    private static int classNo(Class<?> type) {
        return CLASS_NUMBERS.get(type);
    }

    private static final ClassValue<Integer> CLASS_NUMBERS = new ClassValue<>() {
        @Override
        protected Integer computeValue(Class<?> type) {
            StringBuilder interfaces = new StringBuilder();
            for (Class<?> each : type.getInterfaces()) {
                interfaces.append(each.getName()).append(',');
            }
            Class<?> parent = type.getSuperclass();
            return class0(type.getName(), parent == null ? null : parent.getName(), interfaces.toString(),
                type.getModifiers() & 0xffff | (type.getClassLoader() == null ? JDK : 0));
        }
    };

    /** Puts the throwable and so many of its causes into the table, unless they are there. A failure is described with its frames. */
    private static void describe(Throwable throwable, int causes, boolean failure) {
        JinsiIds.Entry entry = JinsiIds.of(throwable);
        if (causes == 0 || entry.described && !(failure && entry.brief)) {
            return;
        }
        boolean frames = failure || !brief || fails0(classes(throwable));
        Object cause = part0(throwable, PART_CAUSE);
        long causeId = 0;
        if (cause != null && cause != throwable) {
            describe((Throwable) cause, causes - 1, failure);
            causeId = JinsiIds.of(cause).id;
        }
        brief = throwable0(currentTid(), entry.id, describe(throwable, causeId, frames), false);
        entry.brief = !frames;
        // Last: on a full stack any of this may overflow, and then it is tried again where the stack has unwound.
        entry.described = true;
    }

    private static String classes(Throwable throwable) {
        StringBuilder text = new StringBuilder(128);
        text.append(throwable.getClass().getName());
        for (Class<?> c = throwable.getClass().getSuperclass(); c != Object.class; c = c.getSuperclass()) {
            text.append(',').append(c.getName());
        }
        return text.toString();
    }

    private static String describe(Throwable throwable, long cause, boolean withFrames) {
        String stored = (String) part0(throwable, PART_MESSAGE);
        // Only the VM's own message of this exact class is computed; any other getMessage() may be the program's code.
        String shown = throwable.getClass() == NullPointerException.class ? throwable.getMessage() : stored;
        StringBuilder text = new StringBuilder(256);
        text.append(classes(throwable)).append('\0').append(cause);
        optional(text, stored);
        optional(text, shown);
        if (!withFrames) {
            return text.toString();
        }
        StackTraceElement[] frames = (StackTraceElement[]) part0(throwable, PART_TRACE);
        if (frames != null) {
            for (StackTraceElement frame : frames) {
                // A stack overflow is often first noticed by a probe; the program's own frame is the one below.
                if (frame.getClassName().startsWith("java.lang.Jinsi")) {
                    continue;
                }
                text.append('\0').append(frame.getClassName()).append('\0').append(frame.getMethodName());
                optional(text, frame.getFileName());
                text.append('\0').append(frame.getLineNumber());
            }
        }
        return text.toString();
    }

    private static void optional(StringBuilder text, String part) {
        text.append('\0');
        if (part != null) {
            // A message may hold the separator; nothing that is compared or shown needs it.
            text.append('=').append(part.indexOf('\0') < 0 ? part : part.replace('\0', ' '));
        }
    }

    // Content events, written by JinsiContent.

    /** Begins the content of {@code value}; false if it cannot be recorded now. */
    static boolean beginContent(long id, int form, int letter, long count) {
        open();
        if (buffer() == 0) {
            return false;
        }
        word(id);
        word(form | (long) letter << 8 | count << 16);
        return true;
    }

    /** Gives {@code value} its identity now, so that it needs no definition in the middle of an event. */
    static void prepare(Object value, JinsiFields.Unmade unmade) {
        if (needsIdentity(value)) {
            identify(value, unmade);
        }
    }

    /** Is nothing left to be said of {@code value} before an event names it? */
    static boolean isDefined(Object value) {
        return !needsIdentity(value) || JinsiIds.of(value).defined;
    }

    private static boolean needsIdentity(Object value) {
        return value != null && !(value instanceof String) && !(value instanceof Class) && !isBox(value.getClass());
    }

    private static boolean isBox(Class<?> type) {
        return type == Integer.class || type == Long.class || type == Boolean.class || type == Double.class
            || type == Character.class || type == Byte.class || type == Short.class || type == Float.class;
    }

    /** One reference of the content; the object has been prepared. */
    static void element(Object value) {
        if (room(2 * WORD) != 0 && !immediate(value)) {
            word(JinsiIds.of(value).id << 3 | TAG_OBJECT);
        }
    }

    /** One primitive of the content of an object's fields. */
    static void primitive(char letter, long bits) {
        if (room(2 * WORD) != 0) {
            word((long) letter << 3 | TAG_PRIM);
            word(bits);
        }
    }

    /** {@code bytes} bytes of a primitive array. */
    static void packed(Object array, long base, long bytes) {
        long padded = (bytes + 7) & ~7L;
        long buffer = room(padded);
        if (buffer == 0 || padded == 0) {
            return;
        }
        long scratch = U.getLong(buffer + SCRATCH);
        U.putLong(buffer + scratch + padded - WORD, 0);
        U.copyMemory(array, base, null, buffer + scratch, bytes);
        U.putLong(buffer + SCRATCH, scratch + padded);
    }

    static void endContent() {
        close(0, KIND_CONTENT);
    }

    static void contentTooLarge() {
        loss0(0);
    }
}
