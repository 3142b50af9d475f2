package jinsi.replay;

import java.io.IOException;
import java.util.Arrays;

/** What a test reports besides its verdict: for failures that are no exceptions (docs/oracles.md). */
final class Watch {
    /** The things that can be watched. Their places are those of {@link Codes}. */
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
        STEPS,
        /** Whether a predicate of the user's holds of an object when all interactions have run. */
        PREDICATE,
        /** The state of a class, which is that of its static fields, when all interactions have run. */
        CLASS,
        /** Where code goes when one of its jumps is turned, once. */
        FLIP,
        /** With which status observed code ends the program, in a written test. */
        STATUS
    }

    /** Nothing is watched. */
    static final Watch NOTHING = new Watch(Kind.NOTHING, 0, null, null, new int[0]);
    /** The status is. */
    static final Watch STATUS = new Watch(Kind.STATUS, 0, null, null, new int[0]);

    /** What is watched. */
    final Kind kind;
    /** Number of the interaction, identity of the object, status, step budget, or jump and time; 0 for other kinds. */
    final long subject;
    /**
     * Binary name of a class, or {@code null}: that of the object, which need not cross the edge of observed code, that whose
     * static fields are looked at, or that of the predicate.
     */
    final String className;
    private final String directory;
    private final int[] beside;

    /**
     * {@code directory} is where the predicate's class is, else {@code null}; {@code beside} are numbers of interactions whose results are
     * reported with that of the one that is watched.
     */
    Watch(Kind kind, long subject, String className, String directory, int[] beside) {
        this.kind = kind;
        this.subject = subject;
        this.className = className;
        this.directory = directory;
        this.beside = beside;
    }

    /** The predicate that is asked. */
    UserPredicate predicate() throws IOException {
        return UserPredicate.in(directory, className);
    }

    /**
     * How the test ends if {@code request} ends the program; {@code null} if it does not, or if only the exception counts, which there
     * will be none of.
     */
    Verdict end(Request request) {
        boolean exits = request.member.owner.equals("java/lang/System") && request.member.name.equals("exit")
                || request.member.owner.equals("java/lang/Runtime")
                        && (request.member.name.equals("exit") || request.member.name.equals("halt"));
        if (!exits || request.args.length != 1 || kind == Kind.NOTHING || kind == Kind.STEPS) {
            return null;
        }
        if (kind == Kind.STATUS) {
            return Verdict.ended((int) request.args[0]);
        }
        if (kind != Kind.EXIT) {
            // What is watched is as it was left.
            return Verdict.PASSING;
        }
        return (int) request.args[0] == subject ? Verdict.failing("exit status " + subject) : Verdict.PASSING;
    }

    /** Whether it is the result of interaction {@code no}. */
    boolean isResultOf(int no) {
        return kind == Kind.RESULT && subject == no;
    }

    /** Whether the result of interaction {@code no} is reported, too. */
    boolean isBeside(int no) {
        return Arrays.stream(beside).anyMatch(other -> other == no);
    }
}
