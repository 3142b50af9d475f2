package java.lang;

import java.util.concurrent.ForkJoinTask;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;

/**
 * Where instances of a class have the field with their identity, which the agent adds to rewritten classes.
 *
 * <p>Probes meet objects of any class and must know at once. The answer is kept in {@code Class} itself, in the upper bits of its
 * count of redefinitions: the JDK only ever compares that count with a copy of it, and the JVM adds one at each redefinition. Any other
 * map from classes would cost more than the look-up it saves, or keep classes from being unloaded.
 */
final class JinsiShape {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** Name of the field; the same as in the agent's instrumentation. */
    static final String FIELD = "$jinsi";
    /** Instances have no such field: they are in the table. */
    static final long NO_FIELD = 0;
    /** Nobody has asked yet. */
    private static final long UNKNOWN = -1;

    /** Where {@code Class} counts its redefinitions; 0 if it does not, and then no field is ever used. */
    static final long COUNT = count();
    /** Above the count: 0 if nothing is known, {@link #NONE}, or the field's offset in words. */
    private static final int SHIFT = 20;
    private static final int NONE = 0x1ff;
    private static final int WORD_SHIFT = 3;
    /** Above that, what calls on instances are in a recording at the boundary. */
    private static final int EDGE = 29;

    /** Nobody has asked yet. */
    private static final int UNASKED = 0;
    /** They are natural, like {@link #FRESH} ones, but events have named some, which may have come from the environment. */
    private static final int NAMED = 1;
    /** The environment's. */
    private static final int OUTSIDE = 2;
    /** From here on, the count is negative, and replay runs calls on all instances for real. Instances of this are observed. */
    private static final int OBSERVED = 4;
    /** They are natural, and what they hold is recorded when they cross the boundary; or they are values. */
    private static final int VALUE = 5;
    /** They are natural, but what they hold is not recorded. No event has named one yet: replay has made them all. */
    private static final int FRESH = 6;

    private JinsiShape() {}

    /** Initializes the class, which a full stack would not let. */
    static void warmUp() {
        declares0(JinsiShape.class, FIELD);
        found(JinsiShape.class);
    }

    private static long count() {
        try {
            return U.objectFieldOffset(Class.class, "classRedefinedCount");
        } catch (InternalError absent) {
            return 0;
        }
    }

    /** Is it known that instances are identified, and by the table? Never so of strings, boxes and classes. */
    static boolean isInTable(long known) {
        return COUNT != 0 && known == NO_FIELD;
    }

    /** Offset of the field if it is known that there is one; else not positive. */
    static long known(Class<?> type) {
        if (COUNT == 0) {
            return NO_FIELD;
        }
        int shape = U.getInt(type, COUNT) >>> SHIFT & NONE;
        return shape == NONE ? NO_FIELD : shape == 0 ? UNKNOWN : (long) shape << WORD_SHIFT;
    }

    /** Offset of the field, {@link #NO_FIELD} if there is none. */
    static long found(Class<?> type) {
        long field = known(type);
        return field == UNKNOWN ? find(type) : field;
    }

    private static long find(Class<?> type) {
        if (JinsiObjects.isImmediate(type) || type == Class.class) {
            return NO_FIELD; // which is not to be kept: see isInTable
        }
        long field = offset(type);
        int shape = field == NO_FIELD ? NONE : (int) (field >>> WORD_SHIFT);
        int count;
        do {
            count = U.getIntVolatile(type, COUNT);
        } while ((count >>> SHIFT & NONE) == 0 && !U.compareAndSetInt(type, COUNT, count, count | shape << SHIFT));
        return known(type);
    }

    /** Does replay run calls on {@code object} for real, whatever they do? */
    @DontInline
    static boolean isInside(Object object) {
        Class<?> type = object.getClass();
        try {
            if (COUNT == 0) {
                return false;
            }
            switch (edge(type)) {
                case NAMED:
                    return JinsiIds.known(object) == 0 || JinsiContent.isShown(object);
                case OUTSIDE:
                    return false;
                default:
                    return true;
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return false; // a full stack
        }
    }

    /** ... and is an answer that consists of, or tells, an identity hash code out of the question? */
    static boolean isValue(Object object) {
        Class<?> type = object.getClass();
        return COUNT != 0 && edge(type) == VALUE;
    }

    /** Does replay make objects like {@code object} for real, which is no array? */
    static boolean isNatural(Object object) {
        int edge = COUNT == 0 ? OUTSIDE : edge(object.getClass());
        return edge == VALUE || edge == FRESH || edge == NAMED;
    }

    /** An event names {@code object}, for the first time. */
    static void named(Object object) {
        Class<?> type = object.getClass();
        if (COUNT != 0 && known(type) <= 0 && edge(type) == FRESH) {
            setEdge(type, FRESH, NAMED);
        }
    }

    private static int edge(Class<?> type) {
        int edge = U.getInt(type, COUNT) >>> EDGE;
        return edge != UNASKED ? edge : setEdge(type, UNASKED, findEdge(type));
    }

    private static int setEdge(Class<?> type, int before, int edge) {
        int count;
        do {
            count = U.getIntVolatile(type, COUNT);
        } while (count >>> EDGE == before
            && !U.compareAndSetInt(type, COUNT, count, count & (1 << EDGE) - 1 | edge << EDGE));
        return U.getInt(type, COUNT) >>> EDGE;
    }

    private static int findEdge(Class<?> type) {
        if (type.isArray()) {
            return OBSERVED; // real like these, and their hash codes are identities
        }
        if (type.getClassLoader() != null) {
            return JinsiInherited.observes(type) && !isMachine(type) ? OBSERVED : OUTSIDE;
        }
        if (JinsiObjects.isImmediate(type)) {
            return VALUE;
        }
        if (type == Class.class || !JinsiProbe.natural0(type.getName())) {
            return OUTSIDE;
        }
        return JinsiContent.isWalked(type) ? VALUE : FRESH;
    }

    /** Does it inherit what has the machine run something? That is answered, on observed objects, too. */
    private static boolean isMachine(Class<?> type) {
        return Thread.class.isAssignableFrom(type) || ForkJoinTask.class.isAssignableFrom(type);
    }

    /** A clone would begin with the identity of what it was cloned from, so what can be cloned is in the table. */
    private static long offset(Class<?> type) {
        if (Cloneable.class.isAssignableFrom(type)) {
            return NO_FIELD;
        }
        for (Class<?> owner = type; owner != null; owner = owner.getSuperclass()) {
            if (owner.getClassLoader0() != null) {
                long field = offset0(owner);
                if (field > 0 && field >>> WORD_SHIFT < NONE) {
                    return field;
                }
            }
        }
        return NO_FIELD;
    }

    /**
     * Offset of the field, if {@code owner} itself declares it. It is looked for first: asked for a field that is not there, the JVM throws
     * an {@code InternalError}, and such an error takes the thread's scoped values from it.
     */
    private static long offset0(Class<?> owner) {
        return declares0(owner, FIELD) ? U.objectFieldOffset(owner, FIELD) : NO_FIELD;
    }

    /** Does the class itself declare an instance field of that name? */
    static native boolean declares0(Class<?> owner, String name);
}
