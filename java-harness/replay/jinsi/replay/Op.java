package jinsi.replay;

/** How an interaction touches its target. Their places are those of {@link Codes}. */
enum Op {
    /** Constructor call. */
    CONSTRUCT("new"),
    /** Method call on an object. */
    CALL("call"),
    /** Static method call. */
    CALL_STATIC("static call"),
    /** Instance field read. */
    GET_FIELD("read"),
    /** Instance field write; the value is the only argument. */
    PUT_FIELD("write"),
    /** Static field read. */
    GET_STATIC("static read"),
    /** Static field write; the value is the only argument. */
    PUT_STATIC("static write");

    private static final Op[] ALL = values();

    private final String text;

    Op(String text) {
        this.text = text;
    }

    /** The operation encoded as {@code code}, or {@code null}. */
    static Op of(int code) {
        return code < ALL.length ? ALL[code] : null;
    }

    /** Whether it needs a receiver object. */
    boolean hasReceiver() {
        return this == CALL || this == GET_FIELD || this == PUT_FIELD;
    }

    @Override
    public String toString() {
        return text;
    }
}
