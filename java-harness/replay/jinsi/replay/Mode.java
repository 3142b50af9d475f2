package jinsi.replay;

/** How answers are found. The first two are encoded by their place. */
enum Mode {
    /** In recorded sequence, at the recorded places; anything else is a divergence. */
    STRICT,
    /** With alternatives further on in the same context. */
    RESYNCHRONIZING,
    /** In the sequence of a written test. */
    SCRIPT
}
