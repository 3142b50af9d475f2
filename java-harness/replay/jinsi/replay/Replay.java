package jinsi.replay;

/**
 * What rewritten classes call, as docs/replay-session.md says. All answers come from the test that is running: there is
 * one at a time.
 */
public final class Replay {
    private static volatile Engine engine;

    private Replay() {
    }

    /** Makes {@code next} answer from now on; {@code null} ends a test. */
    static void run(Engine next) {
        engine = next;
    }

    /**
     * Whether {@code o} is a stand-in, for which the session answers.
     *
     * @param o any object; {@code null} is no stand-in
     */
    public static boolean isMock(Object o) {
        Engine current = engine;
        return current != null && current.isMock(o);
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
        return current().bridge(bridge, receiver, args);
    }

    /**
     * An outgoing field read.
     *
     * @param bridge number of the bridge
     * @param receiver the object that has the field, {@code null} for static fields
     * @return the recorded value, boxed
     */
    public static Object get(int bridge, Object receiver) {
        return current().bridge(bridge, receiver, new Object[0]);
    }

    /**
     * An outgoing field write.
     *
     * @param bridge number of the bridge
     * @param receiver the object that has the field, {@code null} for static fields
     * @param value the value to be written, boxed
     */
    public static void put(int bridge, Object receiver, Object value) {
        current().bridge(bridge, receiver, new Object[] {value});
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
        return current().trap(trap, self, args);
    }

    /** A backward branch of observed code: counts towards the step budget. */
    public static void backEdge() {
        Engine current = engine;
        if (current != null) {
            current.backEdge();
        }
    }

    /**
     * The initializer of an observed class begins: until {@link #endClassInit} it has a context of its own.
     *
     * @param internalName internal name of the class
     */
    public static void beginClassInit(String internalName) {
        current().beginClassInit(internalName);
    }

    /** The initializer that began last ends, normally or not. */
    public static void endClassInit() {
        Engine current = engine;
        if (current != null) {
            current.endClassInit();
        }
    }

    private static Engine current() {
        Engine current = engine;
        if (current == null) {
            throw Stop.unresolved(Why.HARNESS, "no replay is running");
        }
        return current;
    }
}
