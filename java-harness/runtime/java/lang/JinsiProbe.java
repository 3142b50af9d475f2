package java.lang;

import static java.lang.JinsiBuffer.buffer;
import static java.lang.JinsiBuffer.close;
import static java.lang.JinsiBuffer.open;
import static java.lang.JinsiIds.CONSTRUCTED;
import static java.lang.JinsiIds.DEFINED;
import static java.lang.JinsiIds.UNSETTLED;
import static java.lang.JinsiObjects.define;
import static java.lang.JinsiRaw.KIND_CATCH;
import static java.lang.JinsiRaw.KIND_THIS;
import static java.lang.JinsiRaw.KIND_UNCAUGHT;
import static java.lang.JinsiRaw.TAG_OBJECT;
import static java.lang.JinsiState.AWAY;
import static java.lang.JinsiState.INSIDE;
import static java.lang.JinsiState.acquire;
import static java.lang.JinsiState.awayIs;
import static java.lang.JinsiState.backFromInitializer;
import static java.lang.JinsiState.closeInside;
import static java.lang.JinsiState.forget;
import static java.lang.JinsiState.left;
import static java.lang.JinsiState.release;

import java.io.Externalizable;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;

/**
 * What rewritten classes call. Lives in {@code java.base} so that every class of every loader and module reaches it. They name this
 * class only: a loader of the program's is asked for it, and should not be asked for more than it must.
 *
 * <p>An event of up to four values is written by one call, which {@link JinsiEvent} has; any event can be written in parts
 * ({@link JinsiParts}). The probes here write what is more than one event, or decide first.
 *
 * <p>Nothing here may call code that could itself be observed, allocate on the common path, or throw into the program: every public
 * method swallows what goes wrong inside it, and passes on only what was aimed at the thread ({@link JinsiStop}). On a nearly full
 * stack that is common, because a probe goes a little deeper than the code around it. An event of which a part is missing does not fit
 * its site and is left out by the reader, who counts it.
 */
public final class JinsiProbe extends JinsiParts {
    private static final Unsafe U = Unsafe.getUnsafe();

    private JinsiProbe() {}

    /**
     * Called by the agent once, before any class is rewritten. Touches every native method so that none is looked up (which
     * runs Java code) inside an event.
     */
    static void init(long tableAddress, long tableEntries) {
        JinsiShape.warmUp();
        JinsiIds.note(new Object(), DEFINED);
        JinsiContent.warmUp();
        JinsiOrder.init();
        JinsiOrder.quiet(new Object());
        JinsiInherited.warmUp();
        JinsiState.warmUp();
        JinsiThrowables.warmUp();
        JinsiStop.warmUp();
        JinsiMark.warmUp();
        JinsiRedact.warmUp();
        JinsiObjects.warmUp();
        class0(null, null, null, null, 0);
        loss0(-1);
        JinsiReflection.warmUp();
        JinsiFields.warmUp();
        JinsiFast.warmUp();
        JinsiWindow.warmUp();
        JinsiStatics.warmUp();
        JinsiOutgoing.warmUp();
        JinsiThread.warmUp();
        JinsiUnobservedSubclasses.warmUp();
        JinsiArmed.warmUp();
        JinsiIds.init(tableAddress + tableEntries * Long.BYTES);
        JinsiWindow.init(tableAddress + (tableEntries + 1) * Long.BYTES);
        JinsiBuffer.init(tableAddress, tableEntries);
    }

    /** Number of a class in the trace's class table; of one that is given itself, it is of interest whose {@code hashCode} it has. */
    static native int class0(Class<?> type, String name, String superName, String interfaces, int flags);

    /** Counts something that was not recorded. */
    static native void loss0(int what);

    /**
     * Do methods of this class, unless they call back, neither wait for other threads nor let them go on? {@code boot}: it is of the
     * boot loader. The JDK's plain classes do not; nor does recorded code, whose own synchronization is recorded.
     */
    static native boolean quiet0(String name, boolean boot);

    /** Do instances of this class of the JDK's run for real in replay? {@code name} is the binary name. */
    static native boolean natural0(String name);

    /** A method begins in a recording that has windows, before anything of it is written. */
    public static void begins() {
        try {
            JinsiWindow.begins();
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // a window may begin in the middle of the call
        }
    }

    /** The environment has called a method, of which nothing is written yet. */
    static void atDoor() {
        try {
            JinsiWindow.atDoor();
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // a window may begin in the middle of the call
        }
    }

    /** A float as whole events take it. */
    public static long word(float value) {
        return Float.floatToRawIntBits(value);
    }

    /** A double as whole events take it. */
    public static long word(double value) {
        return Double.doubleToRawLongBits(value);
    }

    /** A throwable that observed code throws on ({@code kind} ExitThrow) or handles (Catch). */
    @DontInline
    public static void thrown(Object throwable, int site, int kind) {
        try {
            if (JinsiOrder.shared()) {
                JinsiState.backByException();
            }
            if (JinsiFast.thrown(throwable, site, kind)) {
                return;
            }
            boolean isNew = !JinsiObjects.isDefined(throwable);
            open();
            reference(throwable);
            if (kind == KIND_CATCH) {
                closeInside(site, kind);
                forget();
            } else {
                close(site, kind);
                left(true);
            }
            JinsiThrowables.describe((Throwable) throwable, isNew, false);
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // left out, or described later
        }
    }

    /**
     * A throwable that observed code handles, and that never left it: of note if it counts as a failure when thrown, or tells of a class that
     * there was none of.
     */
    @DontInline
    static void handled(Object throwable) {
        try {
            if (JinsiBuffer.isReady()
                    && (JinsiThrowables.fails((Throwable) throwable) || throwable instanceof NoClassDefFoundError)) {
                JinsiThrowables.describe((Throwable) throwable, true, false);
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // noticed at the next handler, if there is one
        }
    }

    /** A throwable that ends its thread; called from {@code Thread.dispatchUncaughtException}. */
    public static void uncaught(Throwable throwable) {
        try {
            if (!JinsiBuffer.isReady() || throwable == null) {
                return;
            }
            if (JinsiArmed.ON && buffer() == 0) {
                JinsiArmed.failed(throwable);
                return;
            }
            JinsiThrowables.describe(throwable, true, true);
            JinsiThrowables.ends(throwable);
            open();
            reference(throwable);
            close(0, KIND_UNCAUGHT);
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // left out
        }
    }

    /** A call begins of which it is not known whether its callee is recorded. */
    public static void away() {
        try {
            awayIs(1);
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // left out
        }
    }

    /** Ends the event with which a class initializer begins. The JVM runs it in the middle of whatever it does. */
    public static void endIntoInitializer(int site, int kind) {
        try {
            long buffer = buffer();
            int away = buffer == 0 ? 0 : U.getByte(buffer + AWAY);
            closeInside(site, kind);
            JinsiState.intoInitializer(away);
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // left out
        }
    }

    /** A class initializer returns. */
    public static void eventBackFromInitializer(int site, int kind) {
        begin();
        endOutside(site, kind);
        backFromInitializer();
    }

    /** A class initializer ends by an exception. */
    public static void thrownFromInitializer(Object throwable, int site, int kind) {
        thrown(throwable, site, kind);
        backFromInitializer();
    }

    /** What comes now is not before what other threads did until now: a monitor was entered, a volatile field was read. */
    public static void acquired() {
        try {
            if (JinsiOrder.shared()) {
                acquire();
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // left out
        }
    }

    /** What came until now may become visible to other threads: a monitor is to be left, a volatile field to be written. */
    public static void releasing() {
        try {
            if (JinsiOrder.shared()) {
                release();
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // left out
        }
    }

    /** The same of a monitor or volatile field of the class whose code runs, where a replay can count along. */
    public static void met() {
        try {
            JinsiState.met();
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // left out
        }
    }

    /** A volatile field of the class whose code runs is to be written. See {@link #met}, {@link #releasing}. */
    public static void meeting() {
        try {
            JinsiState.meeting();
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // left out
        }
    }

    /**
     * Natural code is going to be called with a receiver that may be shared by threads. It makes no events; so this counts as a meeting, whatever
     * the receiver is, and lets others go on.
     */
    public static void meeting(Object receiver) {
        try {
            if (JinsiOrder.shared() && !JinsiOrder.isPlain(receiver)) {
                JinsiOrder.beginCall(JinsiBuffer.currentTid());
                release();
            }
            JinsiState.count();
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // left out
        }
    }

    /** It has been called. What comes now is behind having waited for others. */
    public static void called(Object receiver) {
        try {
            if (JinsiOrder.shared() && !JinsiOrder.isPlain(receiver)) {
                acquire();
                JinsiOrder.endCall(JinsiBuffer.currentTid());
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // left out
        }
    }

    /** An exception has come to observed code, maybe out of such a call. */
    static void thrownOut() {
        try {
            if (JinsiOrder.shared()) {
                JinsiOrder.endCalls(JinsiBuffer.currentTid());
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // another thread will wait in vain for a moment
        }
    }

    /** A call is such a meeting; its events say what orders the threads. */
    public static void counted() {
        try {
            JinsiState.count();
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // left out
        }
    }

    /** Content of an argument that comes from the environment: recorded only if the caller is not observed code. */
    public static void argument(Object value) {
        try {
            if (value != null && JinsiShape.known(value.getClass()) <= 0) {
                long buffer = buffer();
                if (buffer != 0 && JinsiState.whose(buffer) != INSIDE) {
                    JinsiContent.record(value);
                }
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // left out
        }
    }

    /** Content of an array or natural object that has been with a callee which turned out not to be recorded. */
    public static void crossed(Object value) {
        try {
            if (value != null) {
                long buffer = buffer();
                if (buffer != 0 && U.getByte(buffer + AWAY) != 0 && !JinsiState.isOnStray(buffer)) {
                    JinsiContent.record(value);
                }
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // left out
        }
    }

    /**
     * The same of what the callee has returned, which may also have called back: then it is recorded unless the last that happened was that
     * recorded code returned it.
     */
    public static void returned(Object value) {
        try {
            if (value != null) {
                long buffer = buffer();
                boolean maybe = buffer != 0 && (U.getByte(buffer + AWAY) != 0 || !JinsiBuffer.hasJustReturned(buffer, value));
                if (maybe && !JinsiState.isOnStray(buffer)) {
                    JinsiContent.record(value);
                }
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // left out
        }
    }

    /** Content of an array or natural object that has been with the environment. */
    public static void content(Object value) {
        try {
            if (value == null) {
                return;
            }
            long buffer = buffer();
            if (buffer != 0 && !JinsiState.isOnStray(buffer)) {
                JinsiContent.record(value);
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // left out
        }
    }

    /** An object whose constructor says itself that it exists from now on: nothing of what it holds is recorded. */
    public static void own(Object value) {
        try {
            long word = JinsiIds.of(value);
            long id = word >>> JinsiIds.SHIFT;
            if ((word & DEFINED) == 0) {
                define(id, value, DEFINED);
            }
            JinsiBuffer.word(id << 3 | TAG_OBJECT);
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // left out
        }
    }

    /** The whole event of an object whose constructor says that it exists from now on. */
    @DontInline
    public static void own(Object value, int site) {
        try {
            if (JinsiFast.own(value, site)) {
                return;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return;
        }
        long before = JinsiBuffer.ordinal();
        begin();
        own(value);
        if (JinsiIds.now() != 0 && JinsiBuffer.ordinal() != before) {
            noteUnsettled(value);
        }
        endInside(site, KIND_THIS);
    }

    /** A window may have begun since the constructor did, so that it tells nothing of the object's making. */
    private static void noteUnsettled(Object value) {
        try {
            JinsiIds.note(value, UNSETTLED);
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // left out
        }
    }

    /** An object without recorded constructor has been changed by code that is not recorded. */
    public static void fields(Object value) {
        try {
            if (value != null && buffer() != 0) {
                JinsiFields.changed(value);
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // left out
        }
    }

    /** Replay has set the static fields of a class, whose initializer does not run. */
    public static void statics(Class<?> type) {
        try {
            if (buffer() != 0) {
                JinsiStatics.tell(type);
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // left out
        }
    }

    /** See {@link JinsiIds#constructed}. */
    public static long constructed(long word) {
        return JinsiIds.constructed(word);
    }

    /**
     * Deserialization has made an object, whose fields it is going to set: no constructor of its own has run, though one of a superclass
     * may have been recorded. An externalizable object's has.
     */
    public static void restored(Object value) {
        try {
            if (value == null || value instanceof Externalizable || buffer() == 0
                    || !JinsiFields.concern(value.getClass())) {
                return;
            }
            if ((JinsiIds.known(value) & DEFINED) != 0) {
                JinsiIds.note(value, UNSETTLED);
            } else {
                JinsiIds.unnote(value, CONSTRUCTED);
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // left out
        }
    }
}
