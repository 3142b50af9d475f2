package jinsi.replay;

/** How a test ended. */
final class Verdict {
    /** The three outcomes. Their places are those of {@link Codes}. */
    enum Result {
        /** The recorded failure occurred. */
        FAILING,
        /** Everything ran, without the failure. */
        PASSING,
        /** Neither can be said. */
        UNRESOLVED
    }

    /** Everything ran, without the failure. */
    static final Verdict PASSING = new Verdict(Result.PASSING, Why.NONE, "", null, null);

    /** The outcome. */
    final Result result;
    /** Why, if unresolved. */
    final Why why;
    /** For people; names what was asked and expected. */
    final String detail;
    /** The exception that ended the test, or {@code null}. */
    final Throwable exception;
    /** The status with which tested code ended the program, if that, and no more, is what happened; else {@code null}. */
    final Integer status;

    private Verdict(Result result, Why why, String detail, Throwable exception, Integer status) {
        this.result = result;
        this.why = why;
        this.detail = detail;
        this.exception = exception;
        this.status = status;
    }

    /** The recorded failure occurred. */
    static Verdict failing(Throwable exception) {
        return new Verdict(Result.FAILING, Why.NONE, Throwables.describe(exception), exception, null);
    }

    /** The recorded failure, which is no exception, occurred. */
    static Verdict failing(String detail) {
        return new Verdict(Result.FAILING, Why.NONE, detail, null, null);
    }

    /** Neither can be said. */
    static Verdict unresolved(Why why, String detail, Throwable exception) {
        return new Verdict(Result.UNRESOLVED, why, detail, exception, null);
    }

    /** Whether it is for want of an object that an interaction needs. */
    boolean isLack() {
        return why == Why.RECEIVER_MISSING || why == Why.ARGUMENT_MISSING;
    }

    /** The program was ended with a status, which says nothing by itself. */
    static Verdict ended(int status) {
        return new Verdict(Result.PASSING, Why.NONE, "exit status " + status, null, status);
    }
}
