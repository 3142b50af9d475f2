package java.lang;

import static java.lang.JinsiIds.BRIEF;
import static java.lang.JinsiIds.DESCRIBED;
import static java.lang.JinsiNumbers.PART_CAUSE;
import static java.lang.JinsiNumbers.PART_MESSAGE;
import static java.lang.JinsiNumbers.PART_TRACE;

import java.lang.reflect.Field;

/** Throwables as the trace's table has them: as {@code Throwable} itself stores them, without running the program's code. */
final class JinsiThrowables {
    /** Causes may form a circle. */
    private static final int CAUSES = 16;
    /** Further throwables are described without their frames, if at all. Racy: one more or less does no harm. */
    private static boolean brief;

    /** Classes of which throwables count as failures when thrown. */
    private static final ClassValue<Boolean> FAILS = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return fails0(classes(type));
        }
    };

    private JinsiThrowables() {}

    /** Initializes the classes that describing a throwable needs: on a full stack that would fail, and for good. */
    static void warmUp() {
        describe(new Throwable(), 0L, true);
        throwable0(0, 0, null, false);
        failed0(0, 0, 0);
        FAILS.get(Throwable.class);
        part0(null, PART_MESSAGE);
    }

    /**
     * Puts the throwable and its causes into the table, unless they are there. A failure is described with its frames. When there are
     * very many, one that is not {@code new}, which recorded code made or was handed before, is described only as a failure.
     */
    static void describe(Throwable throwable, boolean isNew, boolean failure) {
        if (brief && !isNew && !failure && !FAILS.get(throwable.getClass())) {
            return;
        }
        describe(throwable, CAUSES, failure);
    }

    /** Does it count as a failure when thrown? */
    static boolean fails(Throwable throwable) {
        return fails(throwable.getClass());
    }

    /** Do throwables of this class? */
    static boolean fails(Class<?> type) {
        return FAILS.get(type);
    }

    /** What it is and where it was made, in the form of a description without messages. */
    static String place(Throwable throwable) {
        StringBuilder text = new StringBuilder(256);
        text.append(classes(throwable.getClass())).append('\0').append(0).append('\0').append('\0');
        frames(text, throwable);
        return text.toString();
    }

    /** Would {@link #describe(Throwable, boolean, boolean)} do nothing, for one with this word that is not new and no failure? */
    static boolean isSaid(Object throwable, long word) {
        return (word & DESCRIBED) != 0 || brief && !FAILS.get(throwable.getClass());
    }

    /** The message as {@code Throwable} itself stores it. */
    static String message(Throwable throwable) {
        return (String) part0(throwable, PART_MESSAGE);
    }

    /** The frames as {@code Throwable} itself has them. */
    static StackTraceElement[] frames(Throwable throwable) {
        return (StackTraceElement[]) part0(throwable, PART_TRACE);
    }

    /** The throwable ended the test with this number. */
    static void failed(Throwable throwable, int test) {
        describe(throwable, true, true);
        failed0(JinsiBuffer.currentTid(), JinsiIds.id(throwable), test);
    }

    /** A throwable ended a test that has no number. */
    static void failedUnseen() {
        failed0(JinsiBuffer.currentTid(), 0, -1);
    }

    /** The throwable ends the current thread. */
    static void ends(Throwable throwable) {
        throwable0(JinsiBuffer.currentTid(), JinsiIds.id(throwable), null, true);
    }

    /**
     * Puts a throwable into the trace's table; {@code text} has its parts separated by U+0000. True if stack traces have become so
     * many that further ones are to be recorded of failures only.
     */
    private static native boolean throwable0(long tid, long id, String text, boolean uncaught);

    /** Puts the failure of a test, by a described throwable, into the trace's table. */
    private static native void failed0(long tid, long id, int test);

    /** Do {@code classes}, a class and its superclasses, count as a failure when thrown? */
    private static native boolean fails0(String classes);

    /** A part of a throwable as {@code Throwable} itself stores or makes it, whatever subclasses override. */
    private static native Object part0(Throwable throwable, int part);

    private static void describe(Throwable throwable, int causes, boolean failure) {
        long word = JinsiIds.of(throwable);
        if (causes == 0 || (word & DESCRIBED) != 0 && !(failure && (word & BRIEF) != 0)) {
            return;
        }
        boolean frames = failure || !brief || FAILS.get(throwable.getClass());
        Object cause = part0(throwable, PART_CAUSE);
        long causeId = 0;
        if (cause != null && cause != throwable) {
            describe((Throwable) cause, causes - 1, failure);
            causeId = JinsiIds.id(cause);
        }
        long id = word >>> JinsiIds.SHIFT;
        brief = throwable0(JinsiBuffer.currentTid(), id, describe(throwable, causeId, frames), false);
        if (frames) {
            JinsiIds.unnote(throwable, BRIEF);
        } else {
            JinsiIds.note(throwable, BRIEF);
        }
        // Last: on a full stack any of this may overflow, and then it is tried again where the stack has unwound.
        JinsiIds.note(throwable, DESCRIBED);
    }

    private static String classes(Class<?> type) {
        StringBuilder text = new StringBuilder(128);
        text.append(type.getName());
        for (Class<?> c = type.getSuperclass(); c != Object.class; c = c.getSuperclass()) {
            text.append(',').append(c.getName());
        }
        return text.toString();
    }

    private static String describe(Throwable throwable, long cause, boolean withFrames) {
        String stored = message(throwable);
        String shown = shown(throwable, stored);
        StringBuilder text = new StringBuilder(256);
        text.append(classes(throwable.getClass())).append('\0').append(cause);
        optional(text, stored);
        optional(text, shown);
        if (!withFrames) {
            return text.toString();
        }
        frames(text, throwable);
        return text.toString();
    }

    private static void frames(StringBuilder text, Throwable throwable) {
        StackTraceElement[] frames = frames(throwable);
        if (frames != null) {
            for (StackTraceElement frame : frames) {
                text.append('\0').append(frame.getClassName()).append('\0').append(frame.getMethodName());
                optional(text, frame.getFileName());
                text.append('\0').append(frame.getLineNumber());
            }
        }
    }

    /** The message as a person reads it. Only the VM's own is computed; any other {@code getMessage()} may be the program's code. */
    private static String shown(Throwable throwable, String stored) {
        Class<?> type = throwable.getClass();
        if (type == NullPointerException.class) {
            return throwable.getMessage();
        }
        if (!type.getSimpleName().equals("ComparisonFailure")) {
            return stored;
        }
        try {
            // JUnit's shows what differs only; what was compared is in its fields.
            String expected = text(type, "fExpected", throwable);
            String actual = text(type, "fActual", throwable);
            return (stored == null || stored.isEmpty() ? "" : stored + " ") + "expected:<" + expected + "> but was:<" + actual + ">";
        } catch (ReflectiveOperationException | RuntimeException e) {
            return stored;
        }
    }

    private static String text(Class<?> type, String name, Object object) throws ReflectiveOperationException {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return (String) field.get(object);
    }

    private static void optional(StringBuilder text, String part) {
        text.append('\0');
        if (part != null) {
            if (JinsiRedact.ON) {
                part = JinsiRedact.of(part);
            }
            // A message may hold the separator; nothing that is compared or shown needs it.
            text.append('=').append(part.indexOf('\0') < 0 ? part : part.replace('\0', ' '));
        }
    }
}
