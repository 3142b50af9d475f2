package jinsi.replay;

/** How a test ended. */
final class Verdict {
    /** The three outcomes. The order is the encoding of the worker's protocol. */
    enum Result {
        /** The recorded failure occurred. */
        FAILING,
        /** Everything ran, without the failure. */
        PASSING,
        /** Neither can be said. */
        UNRESOLVED
    }

    /** Everything ran, without the failure. */
    static final Verdict PASSING = new Verdict(Result.PASSING, Why.NONE, "", null);

    /** The outcome. */
    final Result result;
    /** Why, if unresolved. */
    final Why why;
    /** For people; names what was asked and expected. */
    final String detail;
    /** The exception that ended the test, or {@code null}. */
    final Throwable exception;

    private Verdict(Result result, Why why, String detail, Throwable exception) {
        this.result = result;
        this.why = why;
        this.detail = detail;
        this.exception = exception;
    }

    /** The recorded failure occurred. */
    static Verdict failing(Throwable exception) {
        return new Verdict(Result.FAILING, Why.NONE, Throwables.describe(exception), exception);
    }

    /** The recorded failure, which is no exception, occurred. */
    static Verdict failing(String detail) {
        return new Verdict(Result.FAILING, Why.NONE, detail, null);
    }

    /** Neither can be said. */
    static Verdict unresolved(Why why, String detail, Throwable exception) {
        return new Verdict(Result.UNRESOLVED, why, detail, exception);
    }
}
