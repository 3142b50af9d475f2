package java.lang;

import java.util.Iterator;
import java.util.Map;
import java.util.Spliterator;
import jdk.internal.vm.annotation.DontInline;

/**
 * Names what goes out to the environment in an array, a natural container, a view or a stream of observed code's own making. At the
 * boundary, what is made inside has no identity until somebody outside sees it, and that may be by way of what holds it: then the trace
 * says so, and replay knows the object by its place.
 *
 * <p>This is done when a container gets its own identity, which is seldom, and only if it leads to an object that has none; what is put in
 * later is not seen here. Nor is it done for iterators, of which there is another one each time: their objects are mostly
 * taken in their order, which replay knows.
 */
final class JinsiOutgoing {
    /** Is it to be done, because the recording is one at the boundary? */
    static final boolean ON = boundary0();
    /** Steps from a container to what it leads to; the same as contents have. */
    private static final int DEPTH = 8;
    /** Elements beyond which none is looked for. */
    private static final int BOUND = 1 << 16;

    private static final Object[] NOTHING = {};

    /** Elements that may still be looked at. */
    private int left = BOUND;

    private JinsiOutgoing() {}

    /** Initializes the class, and has the native method found. */
    static void warmUp() {
        leads(new Object[] {new java.util.ArrayList<>(), new java.util.HashMap<>()});
    }

    private static native boolean boundary0();

    /** The object has got its identity now, in an event that is being written. */
    @DontInline
    static void defined(Object value) {
        if (value instanceof Iterator || value instanceof Spliterator) {
            return;
        }
        long buffer = JinsiBuffer.buffer();
        if (buffer != 0 && JinsiState.whose(buffer) == JinsiState.INSIDE && leads(value)) {
            JinsiFields.recordHeld(value);
        }
    }

    private static boolean leads(Object container) {
        return new JinsiOutgoing().leads(container, 0);
    }

    /** Is {@code value} an object of an observed class that the trace does not know, within a container a lambda, or a container of such? */
    private boolean leads(Object value, int depth) {
        if (value == null || depth > DEPTH) {
            return false;
        }
        if (JinsiInherited.observes(value.getClass())) {
            return !(value instanceof Enum) && !isKnown(value);
        }
        if (depth > 0 && isFunction(value.getClass())) {
            return true;
        }
        boolean array = value instanceof Object[];
        if (!array && !isOfUtil(value) || depth > 0 && isKnown(value)
                || array && JinsiObjects.isImmediate(value.getClass().getComponentType())) {
            return false;
        }
        Object[] held = array ? (Object[]) value : JinsiContent.held(value);
        if (held == null) {
            held = isView(value) ? JinsiFields.references(value) : NOTHING;
        }
        left -= held.length;
        for (int i = 0; i < held.length && left >= 0; i++) {
            if (leads(held[i], depth + 1)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Is it an object of {@code java.util} of which no content is recorded: a view, a stream, its iterator? Where it leads is known by
     * its fields. (What windows tell again is distinguished by fields being the observed objects' alone.)
     */
    static boolean isView(Object value) {
        return !JinsiWindow.ON && isOfUtil(value) && !JinsiContent.isWalked(value.getClass())
            && JinsiShape.isNatural(value);
    }

    /** Does {@code value}, which a field of a view has, matter? Entries of a map lead to each other, and are passed by. */
    static boolean leadsOn(Object value) {
        return value instanceof Object[] || value != null && (isOfUtil(value) && !(value instanceof Map.Entry)
            || JinsiInherited.observes(value.getClass()));
    }

    /**
     * A lambda has its identity where it is made, which replay does not see: it knows the lambda, and what that has captured, by its place.
     * Names of hidden classes have a slash.
     */
    private static boolean isFunction(Class<?> type) {
        return type.getName().indexOf('/') >= 0;
    }

    private static boolean isOfUtil(Object value) {
        Class<?> type = value.getClass();
        return type.getClassLoader() == null && type.getName().startsWith("java.util.");
    }

    private static boolean isKnown(Object value) {
        return (JinsiIds.known(value) & (JinsiIds.DEFINED | JinsiIds.REPORTED)) != 0;
    }
}
