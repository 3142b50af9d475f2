package jinsi.replay;

/** A recorded value: what it is, not yet an object of this JVM. */
final class Value {
    /** What a value is. */
    enum Kind {
        /** {@code null}. */
        NULL,
        /** A primitive; the payload is its box. */
        PRIMITIVE,
        /** A string; the payload is itself. */
        STRING,
        /** A box; the payload is itself. */
        BOX,
        /** A class; the payload is its internal name. */
        CLASS,
        /** Any other object, by its identity. */
        OBJECT
    }

    /** The null value. */
    static final Value NULL = new Value(Kind.NULL, null, 0);

    /** What it is. */
    final Kind kind;
    /** See {@link Kind}. */
    final Object payload;
    /** Identity for {@link Kind#OBJECT}, else 0. */
    final long id;

    private Value(Kind kind, Object payload, long id) {
        this.kind = kind;
        this.payload = payload;
        this.id = id;
    }

    /** A value that carries {@code payload}. */
    static Value of(Kind kind, Object payload) {
        return new Value(kind, payload, 0);
    }

    /** The object with identity {@code id}. */
    static Value object(long id) {
        return new Value(Kind.OBJECT, null, id);
    }

    @Override
    public String toString() {
        switch (kind) {
            case NULL:
                return "null";
            case STRING:
                return '"' + payload.toString() + '"';
            case CLASS:
                return payload + ".class";
            case OBJECT:
                return "#" + id;
            default:
                return String.valueOf(payload);
        }
    }
}
