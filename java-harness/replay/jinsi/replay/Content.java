package jinsi.replay;

import java.util.List;

/** What an array or a natural object holds. */
final class Content {
    /** The forms of content. */
    enum Kind {
        /** Not recorded. */
        NONE,
        /** All elements of an array. */
        ARRAY,
        /** A list, set or queue in iteration order. */
        ELEMENTS,
        /** A map in iteration order: key, value, key, value… */
        ENTRIES,
        /** An immutable value as text. */
        TEXT,
        /** Larger than the recording's bound: not recorded. */
        TOO_LARGE,
        /** The fields of an object. */
        FIELDS
    }

    /** A field as a class declares it. */
    static final class FieldName {
        /** Internal name of the declaring class. */
        final String className;
        /** Name. */
        final String name;

        FieldName(String className, String name) {
            this.className = className;
            this.name = name;
        }
    }

    /** No content. */
    static final Content NONE = new Content(Kind.NONE, List.of(), null);

    /** Its form. */
    final Kind kind;
    /** Elements or values of fields; empty for text and for what was not recorded. */
    final List<Value> values;
    /** The text, or {@code null}. */
    final String text;
    /** The fields whose values {@link #values} are, in this order; empty for other kinds. */
    final List<FieldName> fields;

    Content(Kind kind, List<Value> values, String text) {
        this(kind, values, text, List.of());
    }

    private Content(Kind kind, List<Value> values, String text, List<FieldName> fields) {
        this.kind = kind;
        this.values = values;
        this.text = text;
        this.fields = fields;
    }

    /** What the {@code fields} of an object hold. */
    static Content ofFields(List<FieldName> fields, List<Value> values) {
        return new Content(Kind.FIELDS, values, null, fields);
    }

    /** Whether it says what the object holds. */
    boolean isKnown() {
        return kind != Kind.NONE && kind != Kind.TOO_LARGE;
    }
}
