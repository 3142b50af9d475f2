package java.lang;

/**
 * Failures of a program that is not recorded before there was one ({@code arm=failure}): they are seen where a thread ends by an exception,
 * and where an exception is made whose class counts as a failure.
 *
 * <p>To look at an exception's frames takes a while, and a program may make any number of exceptions that mean nothing. So of each class only some are
 * looked at in a time.
 */
final class JinsiArmed {
    /** Is recording to begin with a failure? */
    static final boolean ON = on0();

    /** Exceptions of a class that are looked at in {@link #PERIOD}. */
    private static final int MOST = 32;
    /** In nanoseconds. */
    private static final long PERIOD = 60_000_000_000L;

    private static final ClassValue<Looks> LOOKS = new ClassValue<>() {
        @Override
        protected Looks computeValue(Class<?> type) {
            return JinsiThrowables.fails(type) ? new Looks() : Looks.NONE;
        }
    };

    private JinsiArmed() {}

    /** How often exceptions of a class were looked at. Racy: one more or less does no harm. */
    private static final class Looks {
        /** Of a class whose exceptions are no failures. */
        static final Looks NONE = new Looks();

        private int left;
        private long since = System.nanoTime() - PERIOD;

        /** May one more be looked at? */
        boolean allow() {
            long now = System.nanoTime();
            if (now - since >= PERIOD) {
                since = now;
                left = MOST;
            }
            return left > 0 && left-- > 0;
        }
    }

    /** Initializes the class, which a full stack would not let, and has the native methods found. */
    static void warmUp() {
        LOOKS.get(Throwable.class).allow();
        failed0(null);
    }

    /** Does recording begin with a failure? */
    private static native boolean on0();

    /** There is a failure; {@code text} describes it as {@link JinsiThrowables} does, without messages. */
    private static native void failed0(String text);

    /** An exception has been made, and has its frames. Called by {@code Throwable} itself. */
    static void made(Throwable throwable) {
        try {
            Looks looks = LOOKS.get(throwable.getClass());
            if (looks != Looks.NONE && looks.allow()) {
                failed(throwable);
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // the next one will do
        }
    }

    /** The exception is a failure. */
    static void failed(Throwable throwable) {
        failed0(JinsiThrowables.place(throwable));
    }
}
