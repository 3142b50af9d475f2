package jinsi.replay;

/** How answers are found. The places of the first two are those of {@link Codes}. */
enum Mode {
    /** In recorded sequence, at the recorded places; anything else is a divergence. */
    STRICT,
    /** With alternatives further on in the same context. */
    RESYNCHRONIZING,
    /** In the sequence of a written test. */
    SCRIPT,
    /** Of a written test whose code may not be the recorded one: by what is asked, with alternatives further on. */
    TODAY
}
