package java.lang;

import static java.lang.JinsiRaw.FORM_FIELDS;

import java.util.ArrayDeque;

/**
 * Records what the fields of an object hold that no recorded constructor made: a clone, an object that was deserialized, or one of
 * {@code Unsafe.allocateInstance}. So too where the constructor of a superclass lets an object escape before it has come back to the
 * object's own class.
 *
 * <p>Fields are read by JNI field id: no access check, no {@code java.lang.reflect.Field}, whose making would load the classes of
 * field types, and no difference between ordinary classes, records and hidden classes.
 */
final class JinsiFields {
    /** Fields of the classes whose objects concern us; {@link #NONE} for all others. */
    private static final ClassValue<FieldId[]> LAYOUTS = new ClassValue<>() {
        @Override
        protected FieldId[] computeValue(Class<?> type) {
            return JinsiInherited.observes(type) ? layout(type) : NONE;
        }
    };
    private static final FieldId[] NONE = {};
    /** Fields with references, of classes of the JDK's. */
    private static final ClassValue<FieldId[]> VIEWS = new ClassValue<>() {
        @Override
        protected FieldId[] computeValue(Class<?> type) {
            ArrayDeque<FieldId> references = new ArrayDeque<>();
            for (FieldId field : layout(type)) {
                if (field.letter == 'L') {
                    references.add(field);
                }
            }
            return references.toArray(NONE);
        }
    };

    /** Static fields, of classes that are initialized. */
    private static final ClassValue<FieldId[]> STATICS = new ClassValue<>() {
        @Override
        protected FieldId[] computeValue(Class<?> type) {
            ArrayDeque<FieldId> all = new ArrayDeque<>();
            declared(type, true, all);
            return all.toArray(NONE);
        }
    };

    private JinsiFields() {}

    /** A field. */
    static final class FieldId {
        final Class<?> owner;
        final String name;
        final char letter;
        private final long id;
        private final boolean isStatic;

        FieldId(Class<?> owner, String name, char letter, long id, boolean isStatic) {
            this.owner = owner;
            this.name = name;
            this.letter = letter;
            this.id = id;
            this.isStatic = isStatic;
        }

        /** What it holds, if that is a reference. */
        Object reference(Object object) {
            return isStatic ? staticReference0(owner, id) : reference0(object, id);
        }

        /** ... if it is not, as an operand word. */
        long word(Object object) {
            return isStatic ? static0(owner, id, letter) : get0(object, id, letter);
        }
    }

    /** Objects whose fields are to be recorded. */
    @SuppressWarnings("serial")
    static final class Unmade extends ArrayDeque<Object> {
        /** Everything met on the way is complete now, whatever was recorded of it before. */
        final boolean settles;
        /** Those of which all was reported but what is reached from them. */
        private final ArrayDeque<Object> reported = new ArrayDeque<>();

        Unmade(boolean settles) {
            this.settles = settles;
        }

        /** The walk is over: all that it came to may be named by any thread. */
        void end() {
            reported.addAll(this);
            for (Object each : reported) {
                JinsiIds.define(each);
            }
        }
    }

    /** Touches natives and initializers, so that nothing of it happens inside an event. */
    static void warmUp() {
        fields0(null, false);
        get0(null, 0, ' ');
        reference0(null, 0);
        static0(null, 0, ' ');
        staticReference0(null, 0);
        LAYOUTS.get(Object.class);
        VIEWS.get(Object.class);
    }

    /** Instance or static fields that {@code type} itself declares: for each id (hexadecimal), type letter and name, separated by U+0000. */
    private static native String fields0(Class<?> type, boolean isStatic);

    /** The primitive field with this id, as an operand word. */
    private static native long get0(Object object, long field, char letter);

    /** The reference field with this id. */
    private static native Object reference0(Object object, long field);

    /** The primitive static field with this id, as an operand word. */
    private static native long static0(Class<?> owner, long field, char letter);

    /** The static reference field with this id. */
    private static native Object staticReference0(Class<?> owner, long field);

    /** Are fields of objects of this class recorded? */
    static boolean concern(Class<?> type) {
        return LAYOUTS.get(type).length != 0;
    }

    private static FieldId[] layout(Class<?> type) {
        ArrayDeque<FieldId> all = new ArrayDeque<>();
        for (Class<?> owner = type; owner != null; owner = owner.getSuperclass()) {
            declared(owner, false, all);
        }
        return all.toArray(NONE);
    }

    /** The static fields that {@code owner} itself declares. It is initialized. */
    static FieldId[] statics(Class<?> owner) {
        return STATICS.get(owner);
    }

    private static void declared(Class<?> owner, boolean isStatic, ArrayDeque<FieldId> all) {
        String text = fields0(owner, isStatic);
        for (int at = 0; text != null && at < text.length();) {
            int letter = text.indexOf('\0', at) + 1;
            int end = text.indexOf('\0', letter + 2);
            all.add(new FieldId(owner, text.substring(letter + 2, end), text.charAt(letter),
                Long.parseUnsignedLong(text, at, letter - 1, 16), isStatic));
            at = end + 1;
        }
    }

    /** Code that is not recorded may have changed {@code object}: if it has fields that count, they are recorded. */
    static void changed(Object object) {
        if (concern(object.getClass())) {
            record(object, false);
        }
    }

    /** Records the fields of {@code object}, and of all objects named first while this is done. */
    static void record(Object object, boolean settles) {
        byte[] held = JinsiProbe.suspend();
        try {
            Unmade unmade = new Unmade(settles);
            unmade.add(object);
            record(new JinsiContent.Walk(unmade));
        } finally {
            JinsiProbe.resume(held);
        }
    }

    /** Records what {@code container} holds, and what was not known before leads to, fields of objects that no constructor made included. */
    static void recordHeld(Object container) {
        byte[] held = JinsiProbe.suspend();
        try {
            JinsiWindow.beginTelling();
            JinsiContent.Walk walk = new JinsiContent.Walk(new Unmade(false), true, JinsiContent.BOUND);
            try {
                walk.visit(container, 0);
            } finally {
                record(walk);
            }
        } finally {
            JinsiWindow.endTelling();
            JinsiProbe.resume(held);
        }
    }

    /** What the fields of a view hold, if it leads on; {@code null} in the place of all else. */
    static Object[] references(Object view) {
        FieldId[] fields = VIEWS.get(view.getClass());
        Object[] held = new Object[fields.length];
        for (int i = 0; i < fields.length; i++) {
            Object reference = fields[i].reference(view);
            held[i] = JinsiOutgoing.leadsOn(reference) ? reference : null;
        }
        return held;
    }

    /** What all fields of an object of the JDK's hold that are references. */
    static Object[] allReferences(Object object) {
        FieldId[] fields = VIEWS.get(object.getClass());
        Object[] held = new Object[fields.length];
        for (int i = 0; i < fields.length; i++) {
            held[i] = fields[i].reference(object);
        }
        return held;
    }

    /** What the first one of this name holds; {@code null} if there is none. */
    static Object reference(Object object, String name) {
        for (FieldId field : VIEWS.get(object.getClass())) {
            if (field.name.equals(name)) {
                return field.reference(object);
            }
        }
        return null;
    }

    /** Records those fields of a view that lead on. */
    static void view(Object view, JinsiContent.Walk walk, int depth) {
        long id = JinsiObjects.identify(view, walk.unmade);
        FieldId[] fields = VIEWS.get(view.getClass());
        Object[] held = references(view);
        int count = 0;
        for (Object each : held) {
            if (each != null) {
                walk.take(each, depth);
                count++;
            }
        }
        if (!walk.admits(count) || !JinsiProbe.beginContent(id, FORM_FIELDS, 0, count)) {
            return;
        }
        for (int i = 0; i < held.length; i++) {
            if (held[i] != null) {
                JinsiProbe.element(fields[i].owner);
                JinsiProbe.element(fields[i].name);
                JinsiProbe.element(held[i]);
            }
        }
        JinsiProbe.endContent();
    }

    /** Records the fields of what {@code walk} has come to. */
    static void record(JinsiContent.Walk walk) {
        try {
            for (Object next = walk.unmade.poll(); next != null; next = walk.unmade.poll()) {
                walk.unmade.reported.add(next);
                record(next, walk);
            }
        } finally {
            walk.unmade.end();
        }
    }

    private static void record(Object object, JinsiContent.Walk walk) {
        FieldId[] fields = LAYOUTS.get(object.getClass());
        long id = JinsiObjects.identify(object, walk.unmade);
        if (!walk.admits(fields.length)) {
            JinsiContent.tooLarge(id, fields.length);
            return;
        }
        Object[] references = references(object, fields, walk);
        if (JinsiProbe.beginContent(id, FORM_FIELDS, 0, fields.length)) {
            elements(object, fields, references);
            JinsiProbe.endContent();
        }
    }

    /** What the reference fields hold. Read once, so that the values written are those that were given their identities before. */
    static Object[] references(Object object, FieldId[] fields, JinsiContent.Walk walk) {
        Object[] references = new Object[fields.length];
        for (int i = 0; i < fields.length; i++) {
            if (fields[i].letter == 'L') {
                references[i] = fields[i].reference(object);
                if (JinsiRedact.ON && JinsiRedact.names(fields[i].owner, fields[i].name)) {
                    JinsiRedact.secret(references[i]);
                }
                // What was known before is known to have changed, or not, by events of its own.
                boolean known = JinsiObjects.isDefined(references[i]);
                JinsiObjects.prepare(references[i], walk.unmade);
                if (!known || walk.unmade.settles) {
                    walk.visit(references[i], 0);
                }
            }
        }
        return references;
    }

    /** Adds to a content what the fields hold. */
    static void elements(Object object, FieldId[] fields, Object[] references) {
        for (int i = 0; i < fields.length; i++) {
            JinsiProbe.element(fields[i].owner);
            JinsiProbe.element(fields[i].name);
            if (fields[i].letter == 'L') {
                JinsiProbe.element(references[i]);
            } else {
                JinsiProbe.primitive(fields[i].letter, fields[i].word(object));
            }
        }
    }
}
