package jinsi.replay;

import java.util.Arrays;

/**
 * What rewritten classes call, as java-harness/SESSION.md says. All answers come from the test that is running: there is
 * one at a time.
 *
 * <p>Written tests run after each other in one JVM, and what one has thrown may be asked for its message while the next one
 * runs. There the class that asks says, by its loader, which test it belongs to.
 */
public final class Replay {
    private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    private static volatile Engine engine;
    /** Whether the tests are written ones. The worker has no use for the asking class, and no time to look for it. */
    private static volatile boolean script;

    private Replay() {
    }

    /** Makes {@code next} answer from now on; {@code null} ends a test. */
    static void run(Engine next) {
        engine = next;
        script = next != null && next.isScript();
    }

    private static Engine engineOf(Class<?> asking) {
        ClassLoader loader = asking.getClassLoader();
        return loader instanceof ReplayLoader ? ((ReplayLoader) loader).engine() : engine;
    }

    /**
     * Whether {@code o} is a stand-in, for which the session answers.
     *
     * @param o any object; {@code null} is no stand-in
     */
    public static boolean isMock(Object o) {
        Engine current = script ? engineOf(WALKER.getCallerClass()) : engine;
        return current != null && current.isMock(o);
    }

    /**
     * Whether {@code o} is a stand-in, or has an identity hash code, which is another one in each JVM.
     *
     * @param o any object
     */
    public static boolean hasOtherHash(Object o) {
        Engine current = script ? engineOf(WALKER.getCallerClass()) : engine;
        return current != null && current.hasOtherHash(o);
    }

    /**
     * Whether the recording answers a construction or a call of {@code toString} that may also be done for real.
     *
     * @param bridge number of the bridge
     * @param receiver the receiver, {@code null} for constructors
     */
    public static boolean isAnswered(int bridge, Object receiver) {
        Engine current = script ? engineOf(WALKER.getCallerClass()) : engine;
        return current != null && current.isAnswered(bridge, receiver);
    }

    /**
     * An outgoing call or construction.
     *
     * @param bridge number of the bridge
     * @param receiver the receiver, {@code null} for static methods and constructors
     * @param args the arguments, boxed
     * @return the recorded answer, boxed; the new object for constructors, {@code null} for {@code void}. Throws the
     *     recorded exception, checked or not, if the answer is one
     */
    public static Object call(int bridge, Object receiver, Object[] args) {
        return running(script ? engineOf(WALKER.getCallerClass()) : engine).bridge(bridge, receiver, args);
    }

    /**
     * An outgoing field read.
     *
     * @param bridge number of the bridge
     * @param receiver the object that has the field, {@code null} for static fields
     * @return the recorded value, boxed
     */
    public static Object get(int bridge, Object receiver) {
        return running(script ? engineOf(WALKER.getCallerClass()) : engine).bridge(bridge, receiver, new Object[0]);
    }

    /**
     * An outgoing field write.
     *
     * @param bridge number of the bridge
     * @param receiver the object that has the field, {@code null} for static fields
     * @param value the value to be written, boxed
     */
    public static void put(int bridge, Object receiver, Object value) {
        Engine current = running(script ? engineOf(WALKER.getCallerClass()) : engine);
        current.bridge(bridge, receiver, new Object[] {value});
    }

    /**
     * A method of an environment class was run by code that is not redirected: natural code, or reflection.
     *
     * @param trap number of the trap
     * @param self the object it was run on, {@code null} for static methods
     * @param args the arguments, boxed
     * @return the recorded answer, boxed
     */
    public static Object trap(int trap, Object self, Object[] args) {
        return running(script ? engineOf(WALKER.getCallerClass()) : engine).trap(trap, self, args);
    }

    /** A method of observed code begins, in a session of several threads: the thread may have to let others go on. */
    public static void enter() {
        Engine current = engine;
        if (current != null) {
            current.progress().enter();
        }
    }

    /**
     * In place of a monitor that is entered, in a session of several threads: the thread may have to let others go on. Where the agent records
     * the replay, it knows this and the following methods by their names.
     *
     * @param monitor whose monitor it is
     */
    public static void entered(Object monitor) {
        checkMonitor(monitor);
        meet();
    }

    /** Throws what the instruction would, from where it is. */
    private static void checkMonitor(Object monitor) {
        if (monitor == null) {
            NullPointerException none = new NullPointerException();
            StackTraceElement[] frames = none.getStackTrace();
            none.setStackTrace(Arrays.copyOfRange(frames, Math.min(2, frames.length), frames.length));
            throw none;
        }
    }

    /** A method begins that is no longer synchronized. */
    public static void entered() {
        meet();
    }

    /**
     * The same as {@link #entered(Object)} in code that an observed class inherits from one that is not: nobody has counted there.
     *
     * @param monitor whose monitor it is
     */
    public static void enteredInherited(Object monitor) {
        checkMonitor(monitor);
    }

    /** See {@link #enteredInherited(Object)}. */
    public static void enteredInherited() {
        // Nothing is waited for.
    }

    /**
     * In place of a monitor that is left.
     *
     * @param monitor whose monitor it is
     */
    public static void left(Object monitor) {
        checkMonitor(monitor);
    }

    /** A method ends that is no longer synchronized. */
    public static void left() {
        // Nobody waits for it.
    }

    /** Natural code has been called that may have had to wait for a monitor of the JDK's, in a session of several threads. */
    public static void called() {
        Engine current = engine;
        if (current != null) {
            current.progress().comeBack();
        }
    }

    /**
     * A volatile field is going to be accessed, or a natural object called that threads may share, in a session of several threads: the
     * thread may have to let others go on.
     */
    public static void meet() {
        Engine current = engine;
        if (current != null) {
            current.progress().meet();
        }
    }

    /** A backward branch of observed code: counts towards the step budget. */
    public static void backEdge() {
        Engine current = script ? engineOf(WALKER.getCallerClass()) : engine;
        if (current != null) {
            current.backEdge();
        }
    }

    /**
     * A line of observed code begins, in a session that counts lines.
     *
     * @param line its number among the lines of the session
     */
    public static void line(int line) {
        Engine current = engine;
        if (current != null) {
            current.line(line);
        }
    }

    /**
     * What may follow a jump of observed code is come to, in a session that counts lines.
     *
     * @param branch its number among those of the session
     */
    public static void branch(int branch) {
        Engine current = engine;
        if (current != null) {
            current.branch(branch);
        }
    }

    /**
     * The initializer of an observed class begins: until {@link #endClassInit} it has a context of its own.
     *
     * @param internalName internal name of the class
     */
    public static void beginClassInit(String internalName) {
        running(engine).beginClassInit(internalName);
    }

    /** The initializer that began last ends, normally or not. */
    public static void endClassInit() {
        Engine current = engine;
        if (current != null) {
            current.endClassInit();
        }
    }

    private static Engine running(Engine current) {
        if (current == null) {
            throw Stop.unresolved(Why.HARNESS, "no replay is running");
        }
        return current;
    }
}
