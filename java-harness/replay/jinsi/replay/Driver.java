package jinsi.replay;

import java.util.Arrays;
import java.util.List;

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
    Verdict run(int[] kept) {
        InteractionTable all = session.interactions;
        int[] indices = new int[kept.length];
        for (int i = 0; i < kept.length; i++) {
            indices[i] = all.indexOf(kept[i]);
            if (indices[i] < 0) {
                return Verdict.unresolved(Why.HARNESS, "interaction " + kept[i] + " is not in the session", null);
            }
        }
        Arrays.sort(indices);
        int[] changed = all.withEffects();
        int nextChange = 0;
        for (int index : indices) {
            for (; nextChange < changed.length && changed[nextChange] < index; nextChange++) {
                Verdict verdict = replay(all.before(changed[nextChange]), null);
                if (verdict != null) {
                    return end(verdict, changed[nextChange]);
                }
            }
            if (nextChange < changed.length && changed[nextChange] == index) {
                nextChange++;
            }
            // Strict replay goes through all of them once.
            Interaction i = strict ? all.read(index) : all.get(index);
            Verdict verdict = replay(i.before, i);
            if (verdict != null) {
                return end(verdict, index);
            }
        }
        return Verdict.PASSING;
    }

    private Verdict end(Verdict verdict, int index) {
        endedIn = session.interactions.number(index);
        return verdict;
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
