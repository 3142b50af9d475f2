package jinsi.replay;

/**
 * Ends a test from inside observed code. Observed code may catch it; that is why {@link Engine} remembers the verdict
 * and throws it again wherever it is reached.
 */
final class Stop extends Error {
    private static final long serialVersionUID = 1;

    /** How the test ended. */
    final transient Verdict verdict;

    Stop(Verdict verdict) {
        super(verdict.detail, verdict.exception, false, false);
        this.verdict = verdict;
    }

    /** To end the test as unresolved. */
    static Stop unresolved(Why why, String detail) {
        return new Stop(Verdict.unresolved(why, detail, null));
    }
}
