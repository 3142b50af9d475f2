package jinsi.replay;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** Exceptions: what is stored in them, how they are made again, how they are shown. */
final class Throwables {
    /** Methods that rewriting adds to observed classes begin with this; their frames are not the program's. */
    static final String BRIDGE_PREFIX = "jinsi$";

    private Throwables() {
    }

    /** The message stored in the exception; {@code null} for those that the JVM computes when asked. */
    static String storedMessage(Throwable exception) {
        return (String) RawAccess.get(Throwable.class, "detailMessage", exception);
    }

    /** The innermost frame of the program, or {@code null} if the stack trace is empty. */
    static StackTraceElement topFrame(Throwable exception) {
        for (StackTraceElement frame : exception.getStackTrace()) {
            if (!frame.getMethodName().startsWith(BRIDGE_PREFIX)) {
                return frame;
            }
        }
        return null;
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

    /** Makes an exception that carries what was recorded, without running its constructor. */
    static Throwable make(Class<?> type, ObjectInfo.Thrown recorded) throws InstantiationException {
        Throwable made = (Throwable) RawAccess.allocate(type);
        RawAccess.set(Throwable.class, "detailMessage", made, recorded.message);
        // A cause that is the exception itself means: none, and none can be set later.
        RawAccess.set(Throwable.class, "cause", made, made);
        RawAccess.set(Throwable.class, "stackTrace", made, recorded.frames.toArray(new StackTraceElement[0]));
        RawAccess.set(Throwable.class, "suppressedExceptions", made, new ArrayList<Throwable>());
        return made;
    }

    /** Sets the cause of an exception that {@link #make} made. */
    static void setCause(Throwable made, Throwable cause) {
        RawAccess.set(Throwable.class, "cause", made, cause);
    }

    /** Takes the frames of bridges out of the stack traces of an exception and of its causes. */
    static void removeBridgeFrames(Throwable exception) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Throwable at = exception; at != null && seen.add(at); at = at.getCause()) {
            List<StackTraceElement> kept = new ArrayList<>();
            StackTraceElement[] frames = at.getStackTrace();
            for (StackTraceElement frame : frames) {
                if (!frame.getMethodName().startsWith(BRIDGE_PREFIX)) {
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
