package java.lang;

import static java.lang.JinsiShape.COUNT;

import jdk.internal.misc.Unsafe;

/**
 * Which classes have an unobserved subclass: a class that inherits from them and is not observed; its objects are called unobserved subclasses, too. The agent knows, before a
 * unobserved subclass has an instance.
 */
final class JinsiUnobservedSubclasses {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** Address of a byte for each number of a class that a call names, not 0 if it has one; 0 if there is no such table. */
    private static final long TABLE = table();

    private JinsiUnobservedSubclasses() {}

    /** Initializes the class, which a full stack would not let. */
    static void warmUp() {
        hasNone(0);
    }

    private static long table() {
        try {
            return COUNT == 0 ? 0 : table0();
        } catch (UnsatisfiedLinkError e) {
            return 0; // probes without an agent
        }
    }

    private static native long table0();

    /** Is {@code object} an unobserved subclass, which is an instance of an observed class or of a class that inherits from one? */
    static boolean has(Object object) {
        try {
            Class<?> type = object.getClass();
            return (COUNT == 0 || U.getInt(type, COUNT) >= 0) && !JinsiInherited.observes(type);
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            return false; // a full stack
        }
    }

    /** Is it known that the class with this number has none? */
    static boolean hasNone(int owner) {
        return TABLE != 0 && U.getByte(TABLE + owner) == 0;
    }
}
