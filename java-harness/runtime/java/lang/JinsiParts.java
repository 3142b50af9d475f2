package java.lang;

import static java.lang.JinsiBuffer.CURSOR;
import static java.lang.JinsiBuffer.SCRATCH;
import static java.lang.JinsiBuffer.WORD;
import static java.lang.JinsiBuffer.buffer;
import static java.lang.JinsiBuffer.close;
import static java.lang.JinsiBuffer.open;
import static java.lang.JinsiBuffer.room;
import static java.lang.JinsiObjects.classNo;
import static java.lang.JinsiObjects.identify;
import static java.lang.JinsiRaw.KIND_CONTENT;
import static java.lang.JinsiRaw.TAG_BOX;
import static java.lang.JinsiRaw.TAG_CLASS;
import static java.lang.JinsiRaw.TAG_OBJECT;
import static java.lang.JinsiRaw.TAG_PRIM;
import static java.lang.JinsiRaw.TAG_STRING;
import static java.lang.JinsiState.QUIET;
import static java.lang.JinsiState.closeInside;
import static java.lang.JinsiState.closeOutside;
import static java.lang.JinsiState.runs;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;

/**
 * Probes that write an event in parts: {@link #begin()}, one call a value, {@link #end(int, int)}. They go the long way, which any event
 * can go; {@link JinsiEvent} has the short one.
 *
 * <p>Values go behind the buffer's cursor and become part of the trace only when {@code end} moves the cursor, so an event is whole or
 * not there whatever interrupts it. The layout is the one of {@code trace/events/src/raw.rs}.
 */
public class JinsiParts extends JinsiGather {
    private static final Unsafe U = Unsafe.getUnsafe();

    private static final long BYTES = JinsiContent.base(byte[].class);

    JinsiParts() {}

    /** Begins an event. */
    @DontInline
    public static void begin() {
        try {
            open();
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // see JinsiProbe; so everywhere below
        }
    }

    /** A value of type boolean, byte, char, short or int. */
    @DontInline
    public static void addInt(int value) {
        try {
            JinsiBuffer.word(value);
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // left out
        }
    }

    /** A long. */
    @DontInline
    public static void addLong(long value) {
        try {
            JinsiBuffer.word(value);
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // left out
        }
    }

    /** A float. */
    @DontInline
    public static void addFloat(float value) {
        try {
            JinsiBuffer.word(Float.floatToRawIntBits(value) & 0xffffffffL);
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // left out
        }
    }

    /** A double. */
    @DontInline
    public static void addDouble(double value) {
        try {
            JinsiBuffer.word(Double.doubleToRawLongBits(value));
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // left out
        }
    }

    /** A reference: strings and boxes by content, classes by number, everything else by identity. */
    @DontInline
    public static void addReference(Object value) {
        try {
            reference(value);
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // left out
        }
    }

    /** Adds a reference; the caller sees to exceptions. */
    static void reference(Object value) {
        if (!immediate(value)) {
            JinsiBuffer.word(identify(value) << 3 | TAG_OBJECT);
        }
    }

    /** Writes what needs no identity. */
    private static boolean immediate(Object value) {
        if (value == null) {
            JinsiBuffer.word(0);
        } else if (value instanceof String) {
            string((String) value);
        } else if (value instanceof Class) {
            JinsiBuffer.word((long) classNo((Class<?>) value) << 3 | TAG_CLASS);
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
        JinsiBuffer.word((long) letter << 3 | TAG_BOX);
        JinsiBuffer.word(bits);
    }

    private static void string(String text) {
        if (JinsiRedact.ON) {
            text = JinsiRedact.of(text);
        }
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

    /** Ends the event: from here on it is in the trace. */
    @DontInline
    public static void end(int site, int kind) {
        try {
            if (!JinsiState.isStrays(kind)) {
                close(site, kind);
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // left out
        }
    }

    /** Ends an event of an access of a field: what others access on an unobserved subclass, or in a method that one called, is an event, too. */
    @DontInline
    public static void endAccess(int site, int kind) {
        try {
            close(site, kind);
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // left out
        }
    }

    /** Ends an event after which observed code runs. */
    @DontInline
    public static void endInside(int site, int kind) {
        try {
            if (!JinsiState.isStrays(kind)) {
                closeInside(site, kind);
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // left out
        }
    }

    /** Ends an event after which the environment runs. */
    @DontInline
    public static void endOutside(int site, int kind) {
        try {
            if (!JinsiState.isStrays(kind)) {
                closeOutside(site, kind);
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // left out
        }
    }

    /** Ends an event after which a method of {@code receiver} runs. */
    @DontInline
    public static void endCall(Object receiver, int site, int kind) {
        try {
            if (JinsiState.isStrays(kind)) {
                return;
            }
            if (JinsiOrder.shared() && JinsiOrder.quiet(receiver)) {
                close(site, kind);
                runs(QUIET);
            } else {
                closeOutside(site, kind);
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // left out
        }
    }

    /** Ends an event after which something runs that does not synchronize with other threads, or records it if it does. */
    @DontInline
    public static void endQuiet(int site, int kind) {
        try {
            if (!JinsiState.isStrays(kind)) {
                close(site, kind);
                runs(QUIET);
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // left out
        }
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

    // Content events, written by JinsiContent.

    /** Begins the content of {@code value}; false if it cannot be recorded now. */
    static boolean beginContent(long id, int form, int letter, long count) {
        open();
        if (buffer() == 0) {
            return false;
        }
        JinsiBuffer.word(id);
        JinsiBuffer.word(form | (long) letter << 8 | count << 16);
        return true;
    }

    /** One reference of the content; the object has been prepared. */
    static void element(Object value) {
        if (room(2 * WORD) != 0 && !immediate(value)) {
            JinsiBuffer.word(JinsiIds.id(value) << 3 | TAG_OBJECT);
        }
    }

    /** One primitive of the content of an object's fields. */
    static void primitive(char letter, long bits) {
        if (room(2 * WORD) != 0) {
            JinsiBuffer.word((long) letter << 3 | TAG_PRIM);
            JinsiBuffer.word(bits);
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
        JinsiProbe.loss0(0);
    }
}
