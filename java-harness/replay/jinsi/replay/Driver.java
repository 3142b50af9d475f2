package jinsi.replay;

import java.util.List;
import java.util.Set;

/** Runs one test: executes the kept interactions in recorded order and judges how that ends. */
final class Driver {
    /** No interaction: all were executed. */
    static final int RAN_THROUGH = -1;

    private final Session session;
    private final Engine engine;
    private final boolean strict;
    private int endedIn = RAN_THROUGH;

    Driver(Session session, Engine engine, boolean strict) {
        this.session = session;
        this.engine = engine;
        this.strict = strict;
    }

    /**
     * Executes the interactions whose numbers are in {@code kept}. Changes that happened outside before one of the
     * others are repeated nevertheless, so that what is kept finds its arguments as they were.
     */
    Verdict run(Set<Integer> kept) {
        int left = kept.size();
        for (Interaction i : session.interactions) {
            if (left == 0) {
                return Verdict.PASSING;
            }
            Verdict verdict;
            if (kept.contains(i.no)) {
                left--;
                verdict = replay(i.before, i);
            } else {
                verdict = replay(i.before, null);
            }
            if (verdict != null) {
                endedIn = i.no;
                return verdict;
            }
        }
        if (left > 0) {
            return Verdict.unresolved(Why.HARNESS, left + " of the interactions to keep are not in the session", null);
        }
        return Verdict.PASSING;
    }

    /** Number of the interaction that ended the test, or before which it ended; {@link #RAN_THROUGH} if none did. */
    int endedIn() {
        return endedIn;
    }

    /** Repeats {@code before} and executes {@code i}, if any; {@code null} if the test goes on. */
    private Verdict replay(List<Effect> before, Interaction i) {
        try {
            engine.play(before);
            if (i != null) {
                engine.execute(i);
            }
        } catch (Stop e) {
            return engine.verdict() != null ? engine.verdict() : e.verdict;
        } catch (Throwable e) {
            if (i == null) {
                return Verdict.unresolved(Why.HARNESS, "changes outside cannot be repeated: " + e, e);
            }
            Verdict verdict = engine.judge(i, e);
            return verdict.result == Verdict.Result.UNRESOLVED && engine.verdict() == null
                    && engine.isRecordedOutcome(i, e) ? null : verdict;
        }
        if (engine.verdict() != null) {
            return engine.verdict();
        }
        if (strict && i != null && i.outcome.kind == Outcome.Kind.THREW) {
            return Verdict.unresolved(Why.HARNESS,
                    "divergence in " + i + ": expected an exception, returned normally", null);
        }
        return null;
    }
}
