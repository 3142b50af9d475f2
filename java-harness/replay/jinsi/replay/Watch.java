package jinsi.replay;

/** What a test reports besides its verdict: for failures that are no exceptions (docs/oracles.md). */
final class Watch {
    /** The things that can be watched. The order is the encoding of the worker's protocol. */
    enum Kind {
        /** Nothing. */
        NOTHING,
        /** What an interaction returned, and the receiver and the arguments for which it did. */
        RESULT,
        /** The state of an object when all interactions have run. */
        STATE,
        /** The texts that observed code had written by its environment, one behind the other. */
        OUTPUT,
        /** Whether observed code ends the program with a status: then the test fails, and with another one it passes. */
        EXIT,
        /** Nothing, but tests may take no more backward branches than this. */
        STEPS
    }

    /** Nothing is watched. */
    static final Watch NOTHING = new Watch(Kind.NOTHING, 0, null);

    /** What is watched. */
    final Kind kind;
    /** Number of the interaction, identity of the object, status, or step budget; 0 for other kinds. */
    final long subject;
    /** Binary name of a class, or {@code null}: an object that does not cross the edge of observed code is one of this class. */
    final String className;

    Watch(Kind kind, long subject, String className) {
        this.kind = kind;
        this.subject = subject;
        this.className = className;
    }

    /** How the test ends if {@code request} ends the program; {@code null} if it does not. */
    Verdict end(Request request) {
        boolean exits = request.member.owner.equals("java/lang/System") && request.member.name.equals("exit")
                || request.member.owner.equals("java/lang/Runtime")
                        && (request.member.name.equals("exit") || request.member.name.equals("halt"));
        if (kind != Kind.EXIT || !exits || request.args.length != 1) {
            return null;
        }
        return (int) request.args[0] == subject ? Verdict.failing("exit status " + subject) : Verdict.PASSING;
    }

    /** Whether it is the result of interaction {@code no}. */
    boolean isResultOf(int no) {
        return kind == Kind.RESULT && subject == no;
    }
}
