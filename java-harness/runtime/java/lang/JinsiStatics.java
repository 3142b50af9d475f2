package java.lang;

import static java.lang.JinsiIds.DEFINED;
import static java.lang.JinsiRaw.FORM_FIELDS;

import jdk.internal.vm.annotation.DontInline;

/**
 * Records what the static fields of observed classes hold, where a history may begin that does not know how they came to hold it: with a
 * window, and where replay has set them. They are the fields of the class object, which has an identity for nothing else. Behind them
 * stands a field without a name that holds the number of the window.
 *
 * <p>Not reported: classes that are not initialized yet, for their initializers are still to come; enums, whose constants are found by
 * their names; records, whose static fields nobody else may write.
 */
final class JinsiStatics {
    private JinsiStatics() {}

    /** Links the natives, which a full stack would not let. */
    static void warmUp() {
        initialized0(true);
    }

    /** The observed classes that are initialized; {@code null} if that cannot be known, or if {@code none} is asked for. */
    private static native Class<?>[] initialized0(boolean none);

    /** A window has begun: the static fields of all classes are recorded. */
    @DontInline
    static void tellAll() {
        try {
            if (JinsiBuffer.buffer() == 0) {
                return;
            }
            Class<?>[] types = initialized0(false);
            long room = JinsiWindow.room();
            for (int i = 0; types != null && i < types.length && room > 0; i++) {
                room -= tell(types[i], room);
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // left out: their initializers run anew in replay
        }
    }

    private static boolean isRecord(Class<?> type) {
        Class<?> parent = type.getSuperclass();
        return parent != null && parent.getName().equals("java.lang.Record");
    }

    /** The static fields of an initialized class are recorded, and what was not known before and is reached from them. */
    static void tell(Class<?> type) {
        tell(type, JinsiContent.BOUND);
    }

    /** ... with no more elements than {@code room}; how many there were. */
    private static int tell(Class<?> type, long room) {
        if (Enum.class.isAssignableFrom(type) || isRecord(type)) {
            return 0;
        }
        JinsiFields.FieldId[] fields = JinsiFields.statics(type);
        byte[] held = JinsiProbe.suspend();
        try {
            JinsiWindow.beginTelling();
            JinsiContent.Walk walk = new JinsiContent.Walk(new JinsiFields.Unmade(false), false, room);
            int all = walk.left();
            try {
                tell(type, fields, walk);
            } finally {
                JinsiFields.record(walk);
            }
            return all - walk.left();
        } finally {
            JinsiWindow.endTelling();
            JinsiProbe.resume(held);
        }
    }

    private static void tell(Class<?> type, JinsiFields.FieldId[] fields, JinsiContent.Walk walk) {
        if (!walk.admits(fields.length + 1)) {
            return;
        }
        Object[] references = JinsiFields.references(null, fields, walk);
        long id = JinsiIds.of(type) >>> JinsiIds.SHIFT;
        if (JinsiObjects.define(id, type, DEFINED)
                && JinsiProbe.beginContent(id, FORM_FIELDS, 0, fields.length + 1)) {
            JinsiFields.elements(null, fields, references);
            JinsiProbe.element(type);
            JinsiProbe.element("");
            JinsiProbe.primitive('J', (JinsiIds.now() & JinsiIds.EPOCH) >>> JinsiIds.EPOCH_SHIFT);
            JinsiProbe.endContent();
        }
    }
}
