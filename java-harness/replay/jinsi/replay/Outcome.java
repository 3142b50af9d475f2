package jinsi.replay;

/** How an interaction ended. */
final class Outcome {
    /** The ways to end. */
    enum Kind {
        /** The recording ended before it did. */
        OPEN,
        /** Returned. */
        RETURNED,
        /** Ended by an exception. */
        THREW
    }

    /** How it ended. */
    final Kind kind;
    /** The value returned, {@code null} if none. For constructors the new object. */
    final Value value;
    /** Identity of the exception, 0 if none. */
    final long thrown;

    private Outcome(Kind kind, Value value, long thrown) {
        this.kind = kind;
        this.value = value;
        this.thrown = thrown;
    }

    /** The recording ended inside. */
    static Outcome open() {
        return new Outcome(Kind.OPEN, null, 0);
    }

    /** Returned {@code value}, or nothing if {@code null}. */
    static Outcome returned(Value value) {
        return new Outcome(Kind.RETURNED, value, 0);
    }

    /** Ended by the exception {@code id}. */
    static Outcome threw(long id) {
        return new Outcome(Kind.THREW, null, id);
    }
}
