package jinsi.replay;

import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** Exceptions: what is stored in them, how they are made again, how they are shown. */
final class Throwables {
    /** Methods that rewriting adds to observed classes begin with this; their frames are not the program's. */
    static final String BRIDGE_PREFIX = "jinsi$";
    /** So do those in which method references of observed classes are calls; a recording shows none of their frames either. */
    private static final String BODY_PREFIX = "lambda$jinsi$";

    /** What follows in the message of a failed cast, from JDK 11 on, is about modules and loaders. */
    private static final String LOADERS = " (";

    private Throwables() {
    }

    /** The message stored in the exception; {@code null} for those that the JVM computes when asked. */
    static String storedMessage(Throwable exception) {
        try {
            return (String) RawAccess.get(Throwable.class, "detailMessage", exception);
        } catch (IllegalStateException | UnsupportedOperationException e) {
            // A JVM that does not let us look, in a written test: what the exception says itself.
            return exception instanceof NullPointerException ? null : exception.getMessage();
        }
    }

    /** The stored message without what a cast that failed says of loaders: in a replay they are others. */
    static String wording(Throwable exception) {
        return wording(exception, storedMessage(exception));
    }

    /** The same of the message that an exception of this class had in the recording. */
    static String wording(Throwable exception, String message) {
        int loaders = exception instanceof ClassCastException && message != null ? message.indexOf(LOADERS) : -1;
        return loaders < 0 ? message : message.substring(0, loaders);
    }

    /** The cause of an exception, {@code null} if there is none or a class of the program does not tell. */
    static Throwable cause(Throwable exception) {
        try {
            return exception.getCause();
        } catch (RuntimeException e) {
            return null;
        }
    }

    /** The innermost frame of the program, or {@code null} if the stack trace is empty. */
    static StackTraceElement topFrame(Throwable exception) {
        for (StackTraceElement frame : exception.getStackTrace()) {
            if (!isAdded(frame)) {
                return frame;
            }
        }
        return null;
    }

    /** The innermost frame of the program that is of no class which is passed over, or {@code null}. */
    static StackTraceElement topFrame(Throwable exception, java.util.function.Predicate<String> passedOver) {
        for (StackTraceElement frame : exception.getStackTrace()) {
            if (!isAdded(frame) && !passedOver.test(frame.getClassName())) {
                return frame;
            }
        }
        return null;
    }

    /** Whether a frame is none of the program's. */
    private static boolean isAdded(StackTraceElement frame) {
        String method = frame.getMethodName();
        return method.startsWith(BRIDGE_PREFIX) || method.startsWith(BODY_PREFIX);
    }

    /** Class, stored message and location in one line. */
    static String describe(Throwable exception) {
        StackTraceElement top = topFrame(exception);
        return describe(exception.getClass().getName(), storedMessage(exception),
                top == null ? "an unknown place"
                        : top.getClassName() + "." + top.getMethodName()
                                + (top.getLineNumber() > 0 ? ":" + top.getLineNumber() : ""));
    }

    /** The same form for an exception that is not there. */
    static String describe(String className, String message, String at) {
        return className + (message == null ? "" : ": " + message) + " at " + at;
    }

    /**
     * Makes an exception that carries what was recorded: without running a constructor where {@code java.lang} is open
     * to us, as it is in the worker; otherwise, if it is the JDK's, with the constructor that takes a message.
     *
     * @throws InstantiationException if its class is abstract
     */
    static Throwable make(Class<?> type, ObjectInfo.Thrown recorded) throws InstantiationException {
        StackTraceElement[] frames = recorded.frames.toArray(new StackTraceElement[0]);
        if (!RawAccess.isOpen() && type.getName().startsWith("java.")) {
            try {
                Throwable made = (Throwable) type.getConstructor(String.class).newInstance(recorded.message);
                made.setStackTrace(frames);
                return made;
            } catch (ReflectiveOperationException e) {
                // It has no such constructor: made like all others.
            }
        }
        Throwable made = (Throwable) RawAccess.allocate(type);
        RawAccess.set(Throwable.class, "detailMessage", made, recorded.message);
        // A cause that is the exception itself means: none yet.
        RawAccess.set(Throwable.class, "cause", made, made);
        RawAccess.set(Throwable.class, "stackTrace", made, frames);
        RawAccess.set(Throwable.class, "suppressedExceptions", made, new ArrayList<Throwable>());
        return made;
    }

    /** Sets the cause of an exception that {@link #make} made. */
    static void setCause(Throwable made, Throwable cause) {
        if (!RawAccess.isOpen()) {
            try {
                made.initCause(cause);
                return;
            } catch (IllegalStateException e) {
                // Its constructor has already said that there is none: overruled below.
            }
        }
        if (made instanceof InvocationTargetException) {
            // It keeps its cause itself.
            RawAccess.set(Throwable.class, "cause", made, null);
            RawAccess.set(InvocationTargetException.class, "target", made, cause);
            return;
        }
        RawAccess.set(Throwable.class, "cause", made, cause);
    }

    /** Takes the frames of bridges out of the stack traces of an exception and of its causes. */
    static void removeBridgeFrames(Throwable exception) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Throwable at = exception; at != null && seen.add(at); at = at.getCause()) {
            List<StackTraceElement> kept = new ArrayList<>();
            StackTraceElement[] frames = at.getStackTrace();
            for (StackTraceElement frame : frames) {
                if (!isAdded(frame)) {
                    kept.add(frame);
                }
            }
            if (kept.size() != frames.length) {
                at.setStackTrace(kept.toArray(new StackTraceElement[0]));
            }
        }
    }

    /** Throws {@code exception}, checked or not, from where the compiler does not expect it. */
    @SuppressWarnings("unchecked")
    static <E extends Throwable> RuntimeException sneaky(Throwable exception) throws E {
        throw (E) exception;
    }
}
