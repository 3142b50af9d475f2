package java.lang;

import static java.lang.JinsiShape.COUNT;
import static java.lang.JinsiState.ENVIRONMENT;
import static java.lang.JinsiState.INSIDE;
import static java.lang.JinsiState.UNOBSERVED_SUBCLASS;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;

/**
 * Probes of recordings at the boundary: what happens among observed classes makes no event, so these decide first, and cheaply, whether
 * there is anything to record. All but those that tell the gate of a call decide for themselves where the stack is full: there is not.
 *
 * <p>A <em>gate</em> is {@code -1} if events are to be written and {@code 0} if not. Rewritten code keeps one in a local for as long as
 * a method that the environment called runs, and one for each call of which it depends on the receiver. That of a method is
 * {@link #CALLED_BY_UNOBSERVED_SUBCLASS} if an unobserved subclass's code is to go on behind it, and positive, not negative, if it runs on an unobserved subclass itself.
 *
 * <p>{@link JinsiEvent} has the probes of whole events, gated ones too. What they do where there is something to record stays out of
 * compiled code, which has little room for probes.
 */
public class JinsiEdge {
    private static final Unsafe U = Unsafe.getUnsafe();

    JinsiEdge() {}

    /** The gate of a method that was called by code which runs on an unobserved subclass. */
    private static final int CALLED_BY_UNOBSERVED_SUBCLASS = -2;

    /** Is there nothing to be said of a method that begins now, because observed code called it? */
    static boolean isInside() {
        try {
            long buffer = JinsiBuffer.buffer();
            return buffer == 0 || JinsiState.whose(buffer) == INSIDE;
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return true;
        }
    }

    /** The gate of a method that begins now: it is an event if the environment called it. */
    public static int outside() {
        try {
            return JinsiThread.isInside() ? 0 : entered();
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return 0;
        }
    }

    /** The same of a method of {@code self}: if that is an unobserved subclass, so is what runs then. */
    public static int outside(Object self) {
        try {
            return JinsiThread.isInside() ? 0 : entered(self);
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return 0;
        }
    }

    /** The same of inherited code, if it runs on an observed object. */
    public static int outside(int mine) {
        return mine == 0 ? 0 : outside();
    }

    /** The same where it mostly is one. */
    @DontInline
    private static int entered() {
        if (isInside()) {
            return 0;
        }
        if (JinsiWindow.ON) {
            JinsiProbe.atDoor();
        }
        if (!JinsiState.isOnStray()) {
            return -1;
        }
        JinsiState.runs(ENVIRONMENT);
        return CALLED_BY_UNOBSERVED_SUBCLASS;
    }

    @DontInline
    private static int entered(Object self) {
        int gate = entered();
        if (gate == 0 || !JinsiUnobservedSubclasses.has(self)) {
            return gate;
        }
        JinsiState.runs((byte) (UNOBSERVED_SUBCLASS | JinsiState.BEGINS));
        return -gate;
    }

    /**
     * A method goes on after its gate: observed code runs, as the thread knows already. Said once more, it is known to the compiler, who
     * then leaves out the gates of all that is compiled in one piece with the method, up to the next call that is not.
     */
    public static void inside() {
        try {
            JinsiThread.runsOn();
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // gates are asked for, then
        }
    }

    /** ... but it runs on an unobserved subclass. A probe of its own, so that methods of which compilers have seen no such call know what they know. */
    public static void onStray() {
        goesOn(UNOBSERVED_SUBCLASS);
    }

    /** The gate of a constructor of an unobserved class until its object is initialized: does observed code run? */
    public static int among() {
        try {
            long buffer = JinsiBuffer.buffer();
            return buffer != 0 && JinsiState.whose(buffer) == INSIDE ? -1 : 0;
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return 0;
        }
    }

    /** What runs now, which a class initializer interrupts. */
    public static int interrupted() {
        try {
            long buffer = JinsiBuffer.buffer();
            return buffer == 0 ? ENVIRONMENT : JinsiState.all(buffer);
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return ENVIRONMENT;
        }
    }

    /** A class initializer has ended: {@code whose} code goes on. */
    public static void goesOn(int whose) {
        try {
            JinsiState.runs((byte) whose);
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // the next event tells
        }
    }

    /**
     * A constructor that the environment called has begun. Until its object is initialized nobody can see it end by an exception, so
     * what runs until then is taken for the environment's.
     */
    public static void unborn() {
        goesOn(ENVIRONMENT);
    }

    /** The object of a constructor is initialized; the event that says so if the environment called the constructor. */
    public static void born(Object self, int gate, int site) {
        if (gate != 0) {
            JinsiProbe.own(self, site);
            if (JinsiUnobservedSubclasses.has(self)) {
                goesOn(UNOBSERVED_SUBCLASS);
            }
        }
    }

    /** The same where the object is not at hand. */
    public static void born(int gate) {
        if (gate != 0) {
            goesOn(INSIDE);
        }
    }

    /** A method ends whose beginning was an event if {@code gate} is open. */
    public static void exit(int what, int gate) {
        if (gate != 0) {
            JinsiEvent.event(what);
            back(gate);
        }
    }

    /** The same with a result. */
    public static void exit(Object result, int what, int gate) {
        if (gate != 0) {
            JinsiEvent.event(result, what);
            back(gate);
        }
    }

    /** The same with a primitive as result, as a word. */
    public static void exit(long result, int what, int gate) {
        if (gate != 0) {
            JinsiEvent.event(result, what);
            back(gate);
        }
    }

    /** A method has ended, as an event says; whoever called it goes on. */
    public static void back(int gate) {
        if (gate == CALLED_BY_UNOBSERVED_SUBCLASS || gate == -CALLED_BY_UNOBSERVED_SUBCLASS) {
            goesOn(UNOBSERVED_SUBCLASS);
        }
    }

    /** A handler of observed code begins: of note if the exception comes from the environment, or counts as a failure. */
    public static void caught(Object throwable, int gate, int site, int kind) {
        JinsiProbe.thrownOut();
        if (gate != 0 && !isInside() && !isOnStray()) {
            JinsiProbe.thrown(throwable, site, kind);
        } else {
            JinsiProbe.handled(throwable);
        }
    }

    /** A method ends by an exception. */
    public static void leaves(Object throwable, int gate, int site, int kind) {
        JinsiProbe.thrownOut();
        if (gate != 0) {
            JinsiProbe.thrown(throwable, site, kind);
            back(gate);
        }
    }

    /**
     * A method with this gate has read a static field of observed classes, or is about to write one: an event if it runs on an unobserved subclass. Its code
     * does so in place of the environment's, which gets objects that way and changes what replay does not change by itself.
     */
    public static void access(Object value, int what, int gate) {
        if (gate != 0 && isOnStray()) {
            JinsiEvent.event(value, what);
        }
    }

    /** The same with a primitive, as a word. */
    public static void access(long value, int what, int gate) {
        if (gate != 0 && isOnStray()) {
            JinsiEvent.event(value, what);
        }
    }

    /** The same with a field of {@code object}. */
    public static void access(Object object, Object value, int what, int gate) {
        if (gate != 0 && isOnStray()) {
            JinsiEvent.event(object, value, what);
        }
    }

    /** The same with a primitive. */
    public static void access(Object object, long value, int what, int gate) {
        if (gate != 0 && isOnStray()) {
            JinsiEvent.event(object, value, what);
        }
    }

    @DontInline
    private static boolean isOnStray() {
        try {
            return JinsiState.isOnStray();
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return false;
        }
    }

    /** A class initializer ends by an exception. */
    public static void leavesInitializer(Object throwable, int whose, int site, int kind) {
        JinsiProbe.thrownFromInitializer(throwable, site, kind);
        goesOn(whose);
    }

    /**
     * The gate of a call on {@code receiver}: replay runs those on its own and natural objects again. Mostly its class tells, by a negative
     * count ({@link JinsiShape}); which is looked at here so that compilers have one method to deal with.
     */
    public static int away(Object receiver) {
        return receiver == null || COUNT != 0 && U.getInt(receiver.getClass(), COUNT) < 0
            || JinsiShape.isInside(receiver) ? 0 : -1;
    }

    /**
     * The same for a receiver that mostly is observed, for the caller names an observed class, the one with this number. While that has no
     * unobserved subclass, which is a class that inherits from it and is not observed, no receiver is looked at. The compiler counts how often each
     * method went which way: as long as this one has met no unobserved subclass, it takes it that none comes, and leaves out all that depends on the gate.
     */
    public static int awayFromClass(Object receiver, int owner) {
        return JinsiUnobservedSubclasses.hasNone(owner) ? 0 : awayFromStrayClass(receiver);
    }

    /** The same for interfaces, which lambdas implement. */
    public static int awayFromInterface(Object receiver, int owner) {
        return JinsiUnobservedSubclasses.hasNone(owner) ? 0 : awayFromStrayInterface(receiver);
    }

    /** The gate of a call like {@link #awayFromClass(Object, int)}, and its event if that is open. */
    public static int callOnClass(Object receiver, int what, int owner) {
        return JinsiUnobservedSubclasses.hasNone(owner) ? 0 : called(receiver, awayFromStrayClass(receiver), what);
    }

    /** The same with an argument. */
    public static int callOnClass(Object receiver, Object argument, int what, int owner) {
        return JinsiUnobservedSubclasses.hasNone(owner) ? 0 : called(receiver, argument, awayFromStrayClass(receiver), what);
    }

    /** The same with a primitive as argument, as a word. */
    public static int callOnClass(Object receiver, long argument, int what, int owner) {
        return JinsiUnobservedSubclasses.hasNone(owner) ? 0 : called(receiver, argument, awayFromStrayClass(receiver), what);
    }

    /** The same for interfaces. */
    public static int callOnInterface(Object receiver, int what, int owner) {
        return JinsiUnobservedSubclasses.hasNone(owner) ? 0 : called(receiver, awayFromStrayInterface(receiver), what);
    }

    /** The same with an argument. */
    public static int callOnInterface(Object receiver, Object argument, int what, int owner) {
        return JinsiUnobservedSubclasses.hasNone(owner) ? 0 : called(receiver, argument, awayFromStrayInterface(receiver), what);
    }

    /** The same with a primitive as argument, as a word. */
    public static int callOnInterface(Object receiver, long argument, int what, int owner) {
        return JinsiUnobservedSubclasses.hasNone(owner) ? 0 : called(receiver, argument, awayFromStrayInterface(receiver), what);
    }

    /** The gate of a call like {@link #away(Object)}, and its event if that is open. */
    public static int callAway(Object receiver, int what) {
        return called(receiver, away(receiver), what);
    }

    /** The same with an argument. */
    public static int callAway(Object receiver, Object argument, int what) {
        return called(receiver, argument, away(receiver), what);
    }

    /** The same with a primitive as argument, as a word. */
    public static int callAway(Object receiver, long argument, int what) {
        return called(receiver, argument, away(receiver), what);
    }

    private static int called(Object receiver, int gate, int what) {
        if (gate != 0) {
            JinsiEvent.event(receiver, what);
        }
        return gate;
    }

    private static int called(Object receiver, Object argument, int gate, int what) {
        if (gate != 0) {
            JinsiEvent.event(receiver, argument, what);
        }
        return gate;
    }

    private static int called(Object receiver, long argument, int gate, int what) {
        if (gate != 0) {
            JinsiEvent.event(receiver, argument, what);
        }
        return gate;
    }

    /** {@link #away}, of which compilers count the ways apart; so does {@link #awayFromStrayInterface}. */
    private static int awayFromStrayClass(Object receiver) {
        return receiver == null || COUNT != 0 && U.getInt(receiver.getClass(), COUNT) < 0
            || JinsiShape.isInside(receiver) ? 0 : -1;
    }

    private static int awayFromStrayInterface(Object receiver) {
        return receiver == null || COUNT != 0 && U.getInt(receiver.getClass(), COUNT) < 0
            || JinsiShape.isInside(receiver) ? 0 : -1;
    }

    /** The gate of a call of {@code hashCode} or {@code toString} on {@code receiver}, which may tell an identity hash code. */
    public static int asked(Object receiver) {
        return receiver == null || JinsiShape.isValue(receiver) ? 0 : -1;
    }

    /** The receiver of the call is with a callee that may turn out not to be recorded. */
    public static void away(int gate) {
        if (gate != 0) {
            JinsiProbe.away();
        }
    }

    /** See {@link JinsiProbe#argument}. */
    public static void argument(Object value, int gate) {
        if (gate != 0) {
            JinsiProbe.argument(value);
        }
    }

    /** See {@link JinsiProbe#content}. */
    public static void content(Object value, int gate) {
        if (gate != 0) {
            JinsiProbe.content(value);
        }
    }

    /** Content of what has been with the environment, for the receiver was one of its objects, whatever has called back meanwhile. */
    public static void crossed(Object value, int gate) {
        if (gate != 0) {
            JinsiProbe.content(value);
        }
    }

    /** See {@link #crossed}. */
    public static void returned(Object value, int gate) {
        crossed(value, gate);
    }

    /** See {@link JinsiProbe#begin}. */
    public static void begin(int gate) {
        if (gate != 0) {
            JinsiProbe.begin();
        }
    }

    /** See {@link JinsiProbe#addInt}. */
    public static void addInt(int value, int gate) {
        if (gate != 0) {
            JinsiProbe.addInt(value);
        }
    }

    /** See {@link JinsiProbe#addLong}. */
    public static void addLong(long value, int gate) {
        if (gate != 0) {
            JinsiProbe.addLong(value);
        }
    }

    /** See {@link JinsiProbe#addFloat}. */
    public static void addFloat(float value, int gate) {
        if (gate != 0) {
            JinsiProbe.addFloat(value);
        }
    }

    /** See {@link JinsiProbe#addDouble}. */
    public static void addDouble(double value, int gate) {
        if (gate != 0) {
            JinsiProbe.addDouble(value);
        }
    }

    /** See {@link JinsiProbe#addReference}. */
    public static void addReference(Object value, int gate) {
        if (gate != 0) {
            JinsiProbe.addReference(value);
        }
    }

    /** Ends an event of more values; {@code first} is the first one. */
    public static void end(Object first, int gate, int site, int kind, int then) {
        if (gate != 0) {
            try {
                JinsiFast.endSlowly(first, site, kind, then);
            } catch (Throwable e) {
                JinsiStop.passOn(e);
                // left out
            }
        }
    }
}
