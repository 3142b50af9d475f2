package java.lang;

import jdk.internal.vm.annotation.DontInline;

/**
 * The probes of classes that are not observed themselves but hand their code down to observed ones. Each is that of
 * {@link JinsiProbe} with the same name, and does nothing unless the object whose code runs, {@code self}, is of an observed class:
 * the dynamic class decides, so an instance of the library class itself leaves no event.
 *
 * <p>Libraries' code is hot on objects that nobody observes. So a probe decides by comparing classes, writes nothing to decide, and
 * needs no state between the parts of an event. If the question fails on a full stack the answer is no; an event of which parts are
 * missing then does not fit its site, see {@link JinsiProbe}.
 */
public final class JinsiInherited {
    private static final ClassValue<Boolean> OBSERVED = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return observed0(type.getName());
        }
    };

    /*
     * The first classes that were asked about; later ones never take their place, because threads that exchange them all the time would
     * cost each other more than the look-up does. They keep these few classes from being unloaded. Racy, and right whoever wins.
     */
    private static Class<?> observed;
    private static Class<?> other1;
    private static Class<?> other2;
    private static Class<?> other3;

    private JinsiInherited() {}

    /** Links the native method and initializes what deciding needs. */
    static void warmUp() {
        OBSERVED.get(Object.class);
    }

    /** Is the class with this binary name observed, and rewritten? */
    private static native boolean observed0(String name);

    /** Are objects of exactly this class observed? */
    @DontInline
    static boolean observes(Class<?> type) {
        return OBSERVED.get(type);
    }

    private static boolean isObserved(Object self) {
        Class<?> type = self.getClass();
        if (type == other1 || type == other2 || type == other3) {
            return false;
        }
        return type == observed || lookUp(type);
    }

    private static boolean lookUp(Class<?> type) {
        try {
            boolean is = OBSERVED.get(type);
            if (is) {
                observed = observed == null ? type : observed;
            } else if (other1 == null) {
                other1 = type;
            } else if (other2 == null) {
                other2 = type;
            } else if (other3 == null) {
                other3 = type;
            }
            return is;
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return false; // a full stack
        }
    }

    /** The gate of code that runs on {@code self}, see {@link JinsiEdge}. */
    public static int mine(Object self) {
        return isObserved(self) ? -1 : 0;
    }

    /** See {@link JinsiProbe#begins}. */
    public static void begins(Object self) {
        if (isObserved(self)) {
            JinsiProbe.begins();
        }
    }

    /** See {@link JinsiProbe#begin}. */
    public static void begin(Object self) {
        if (isObserved(self)) {
            JinsiProbe.begin();
        }
    }

    /** See {@link JinsiProbe#addInt}. */
    public static void addInt(int value, Object self) {
        if (isObserved(self)) {
            JinsiProbe.addInt(value);
        }
    }

    /** See {@link JinsiProbe#addLong}. */
    public static void addLong(long value, Object self) {
        if (isObserved(self)) {
            JinsiProbe.addLong(value);
        }
    }

    /** See {@link JinsiProbe#addFloat}. */
    public static void addFloat(float value, Object self) {
        if (isObserved(self)) {
            JinsiProbe.addFloat(value);
        }
    }

    /** See {@link JinsiProbe#addDouble}. */
    public static void addDouble(double value, Object self) {
        if (isObserved(self)) {
            JinsiProbe.addDouble(value);
        }
    }

    /** See {@link JinsiProbe#addReference}. */
    public static void addReference(Object value, Object self) {
        if (isObserved(self)) {
            JinsiProbe.addReference(value);
        }
    }

    /** See {@link JinsiProbe#end}. */
    public static void end(int site, int kind, Object self) {
        if (isObserved(self)) {
            JinsiProbe.end(site, kind);
        }
    }

    /** See {@link JinsiProbe#endAccess}. */
    public static void endAccess(int site, int kind, Object self) {
        if (isObserved(self)) {
            JinsiProbe.endAccess(site, kind);
        }
    }

    /** See {@link JinsiProbe#endInside}. */
    public static void endInside(int site, int kind, Object self) {
        if (isObserved(self)) {
            JinsiProbe.endInside(site, kind);
        }
    }

    /** See {@link JinsiProbe#endOutside}. */
    public static void endOutside(int site, int kind, Object self) {
        if (isObserved(self)) {
            JinsiProbe.endOutside(site, kind);
        }
    }

    /** See {@link JinsiProbe#thrown}. */
    public static void thrown(Object throwable, int site, int kind, Object self) {
        if (isObserved(self)) {
            JinsiProbe.thrown(throwable, site, kind);
        }
    }

    /** See {@link JinsiProbe#argument}. */
    public static void argument(Object value, Object self) {
        if (isObserved(self)) {
            JinsiProbe.argument(value);
        }
    }

    /** See {@link JinsiProbe#content}. */
    public static void content(Object value, Object self) {
        if (isObserved(self)) {
            JinsiProbe.content(value);
        }
    }

    /** See {@link JinsiProbe#crossed}. */
    public static void crossed(Object value, Object self) {
        if (isObserved(self)) {
            JinsiProbe.crossed(value);
        }
    }

    /** See {@link JinsiProbe#returned}. */
    public static void returned(Object value, Object self) {
        if (isObserved(self)) {
            JinsiProbe.returned(value);
        }
    }

    /** See {@link JinsiProbe#fields}. */
    public static void fields(Object value, Object self) {
        if (isObserved(self)) {
            JinsiProbe.fields(value);
        }
    }

    /** See {@link JinsiProbe#own}. */
    public static void own(Object value, Object self) {
        if (isObserved(self)) {
            JinsiProbe.own(value);
        }
    }

    /** See {@link JinsiProbe#away}. */
    public static void away(Object self) {
        if (isObserved(self)) {
            JinsiProbe.away();
        }
    }

    /** See {@link JinsiProbe#endCall}. */
    public static void endCall(Object receiver, int site, int kind, Object self) {
        if (isObserved(self)) {
            JinsiProbe.endCall(receiver, site, kind);
        }
    }

    /** See {@link JinsiProbe#endQuiet}. */
    public static void endQuiet(int site, int kind, Object self) {
        if (isObserved(self)) {
            JinsiProbe.endQuiet(site, kind);
        }
    }

    /** See {@link JinsiProbe#acquired}. */
    public static void acquired(Object self) {
        if (isObserved(self)) {
            JinsiProbe.acquired();
        }
    }

    /** See {@link JinsiProbe#releasing}. */
    public static void releasing(Object self) {
        if (isObserved(self)) {
            JinsiProbe.releasing();
        }
    }
}
