package java.lang;

/**
 * Tells what was aimed at a thread from what a probe itself ran into.
 *
 * <p>{@code Thread.stop}, a debugger, or an access to a mapped file that has become shorter end whatever the thread is at, and that is often
 * a probe. Such a throwable belongs to the program, which gets it where the probe was called; the event that was being written is left
 * out. What a probe ran into itself, because there was no stack or no memory left for it, the program would not have met without
 * probes: it is dropped.
 */
final class JinsiStop {
    /** How names of the probes' classes begin. */
    private static final String OURS = "java.lang.Jinsi";
    /** How the JVM begins to say that an access to memory failed, by code that may be long past it. */
    private static final String FAULT = "a fault occurred in ";

    private JinsiStop() {}

    /** Initializes the class, which a full stack would not let. */
    static void warmUp() {
        passOn(new IllegalStateException());
        theirs(new StackTraceElement[0], new StackOverflowError());
    }

    /** A probe was ended by {@code e}. If it was aimed at the thread, this throws it. */
    static void passOn(Throwable e) {
        Class<?> type = e.getClass();
        if (type != StackOverflowError.class && type != OutOfMemoryError.class && isAimed(e)) {
            JinsiStop.<RuntimeException>raise(e);
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void raise(Throwable e) throws E {
        throw (E) e;
    }

    private static boolean isAimed(Throwable e) {
        if (e instanceof LinkageError) {
            // A class of ours that has no natives: the rewritten class runs without the agent.
            return false;
        }
        if (e instanceof InternalError) {
            // The JVM makes it where it finds the thread.
            String message = JinsiThrowables.message(e);
            return message != null && message.startsWith(FAULT);
        }
        StackTraceElement[] frames = JinsiThrowables.frames(e);
        if (frames == null || frames.length == 0) {
            // The JVM throws its own exceptions without frames where it throws many of them. A program may make others so.
            return !(e instanceof RuntimeException);
        }
        return topmost(frames) == 0;
    }

    /**
     * What {@code throwable} shows of its frames, which are {@code frames}. Called by {@code Throwable} when somebody asks. A stack overflow is
     * often first met at the beginning of a probe, which goes a little deeper than the code around it: the program is to see its own frames.
     */
    static StackTraceElement[] theirs(StackTraceElement[] frames, Throwable throwable) {
        Class<?> type = throwable.getClass();
        if (type != StackOverflowError.class && type != InternalError.class) {
            return frames;
        }
        int ours = topmost(frames);
        if (ours == 0) {
            return frames;
        }
        StackTraceElement[] theirs = new StackTraceElement[frames.length - ours];
        System.arraycopy(frames, ours, theirs, 0, theirs.length);
        return theirs;
    }

    /** The number of frames from the top down to the last one that is a probe's. Probes call nothing of the program's. */
    private static int topmost(StackTraceElement[] frames) {
        for (int i = frames == null ? 0 : frames.length; i > 0; i--) {
            if (frames[i - 1].getClassName().startsWith(OURS)) {
                return i;
            }
        }
        return 0;
    }
}
