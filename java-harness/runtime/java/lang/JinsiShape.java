package java.lang;

import jdk.internal.misc.Unsafe;

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
    private static final long COUNT = count();
    /** Above the count: 0 if nothing is known, {@link #NONE}, or the field's offset in words. */
    private static final int SHIFT = 20;
    private static final int NONE = 0xfff;
    private static final int WORD_SHIFT = 3;

    private JinsiShape() {}

    /** Initializes the class, which a full stack would not let. */
    static void warmUp() {
        found(JinsiShape.class);
    }

    private static long count() {
        try {
            return U.objectFieldOffset(Class.class, "classRedefinedCount");
        } catch (InternalError absent) {
            return 0;
        }
    }

    /** Offset of the field if it is known that there is one; else not positive. */
    static long known(Class<?> type) {
        if (COUNT == 0) {
            return NO_FIELD;
        }
        int shape = U.getInt(type, COUNT) >>> SHIFT;
        return shape == NONE ? NO_FIELD : shape == 0 ? UNKNOWN : (long) shape << WORD_SHIFT;
    }

    /** Offset of the field, {@link #NO_FIELD} if there is none. */
    static long found(Class<?> type) {
        long field = known(type);
        return field == UNKNOWN ? find(type) : field;
    }

    private static long find(Class<?> type) {
        long field = offset(type);
        int shape = field == NO_FIELD ? NONE : (int) (field >>> WORD_SHIFT);
        int count;
        do {
            count = U.getIntVolatile(type, COUNT);
        } while (count >>> SHIFT == 0 && !U.compareAndSetInt(type, COUNT, count, count | shape << SHIFT));
        return known(type);
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

    private static long offset0(Class<?> owner) {
        try {
            return U.objectFieldOffset(owner, FIELD);
        } catch (InternalError absent) {
            return NO_FIELD;
        }
    }
}
