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
        TOO_LARGE
    }

    /** No content. */
    static final Content NONE = new Content(Kind.NONE, List.of(), null);

    /** Its form. */
    final Kind kind;
    /** Elements; empty for text and for what was not recorded. */
    final List<Value> values;
    /** The text, or {@code null}. */
    final String text;

    Content(Kind kind, List<Value> values, String text) {
        this.kind = kind;
        this.values = values;
        this.text = text;
    }

    /** Whether it says what the object holds. */
    boolean isKnown() {
        return kind != Kind.NONE && kind != Kind.TOO_LARGE;
    }
}
