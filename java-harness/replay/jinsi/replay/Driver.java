package jinsi.replay;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Runs one test: executes the kept interactions in recorded order and judges how that ends. */
final class Driver {
    /** No interaction: all were executed. */
    static final int RAN_THROUGH = -1;

    private final Session session;
    /** The session's interactions, or those of the current stretch. */
    private InteractionTable all;
    private final Stretches stretches;
    private final Engine engine;
    private final boolean strict;
    /** Place among the interactions before which something changed outside: these changes have been repeated. */
    private int repeated;
    private final Watch watch;
    /** What is run for real goes on without an interaction for which an object is missing: the first such one, which others may lack for, or {@code null}. */
    private Verdict lack;
    private int endedIn = RAN_THROUGH;
    /** Number of the last interaction that is to be executed. */
    private int last = RAN_THROUGH;
    /** Whether the static fields of classes whose initializers do not run have been written. */
    private boolean hasStatics;
    private boolean hasResult;
    private Object result;
    private String situation;
    /** What the interactions gave that are watched beside that of the result. */
    private final List<Object> beside = new ArrayList<>();

    Driver(Session session, Stretches stretches, Engine engine, boolean strict, Watch watch) {
        this.session = session;
        this.all = session.interactions;
        this.stretches = stretches;
        this.engine = engine;
        // What is run for real may take another way, as long as it fails as recorded.
        this.strict = strict && !session.isDirect();
        this.watch = watch;
    }

    /**
     * Executes the interactions whose numbers are in {@code kept}. Changes that happened outside before one of the
     * others are repeated nevertheless, so that what is kept finds its arguments as they were.
     */
    Verdict run(int[] kept) {
        int[] indices = new int[kept.length];
        for (int i = 0; i < kept.length; i++) {
            indices[i] = all.indexOf(kept[i]);
            if (indices[i] < 0) {
                return Verdict.unresolved(Why.HARNESS, "interaction " + kept[i] + " is not in the session", null);
            }
        }
        Arrays.sort(indices);
        last = indices.length == 0 ? RAN_THROUGH : all.number(indices[indices.length - 1]);
        if (all.isThreaded()) {
            return new ThreadedRun(this, engine, all, session.meetings).run(indices);
        }
        for (int index : indices) {
            Verdict verdict = execute(index, interaction(index));
            if (verdict != null) {
                return verdict;
            }
        }
        for (int i = 0; i < stretches.count(); i++) {
            Verdict verdict = executeStretch();
            if (verdict != null) {
                return verdict;
            }
        }
        return lack != null ? lack : Verdict.PASSING;
    }

    /** Executes all interactions of the next stretch; {@code null} if the test goes on. */
    private Verdict executeStretch() {
        try {
            // Those before need not be kept meanwhile.
            all = null;
            all = stretches.next();
        } catch (IOException e) {
            return Verdict.unresolved(Why.HARNESS, "a stretch of the session cannot be read: " + e.getMessage(), e);
        }
        repeated = 0;
        for (int index = 0; index < all.size(); index++) {
            Verdict verdict = execute(index, interaction(index));
            if (verdict != null) {
                return verdict;
            }
        }
        return null;
    }

    /**
     * Writes the static fields of classes whose initializers do not run; {@code null} if the test goes on. The thread that executes the first
     * interaction does so, alone as yet, for a recorder knows no other threads than those that execute some.
     */
    private Verdict setStatics() {
        hasStatics = true;
        if (session.statics.isEmpty()) {
            return null;
        }
        Verdict verdict = replay(session.statics, null);
        if (verdict == null) {
            engine.tellStatics(session.statics);
        }
        return verdict;
    }

    /** Whether the interactions have to go as recorded. */
    boolean isStrict() {
        return strict;
    }

    /** The interaction at {@code index}, which is about to be executed. */
    Interaction interaction(int index) {
        // Strict replay goes through all of them once.
        return strict ? all.read(index) : all.get(index);
    }

    /**
     * Executes {@code i}, which is at {@code index}, after repeating what changed outside before it; {@code null} if the test goes
     * on.
     */
    Verdict execute(int index, Interaction i) {
        Verdict unset = hasStatics ? null : setStatics();
        if (unset != null) {
            return end(unset, index);
        }
        int[] changed = all.withEffects();
        for (; repeated < changed.length && changed[repeated] < index; repeated++) {
            Verdict verdict = replay(all.before(changed[repeated]), null);
            if (verdict != null) {
                return end(verdict, changed[repeated]);
            }
        }
        boolean isNext = repeated < changed.length && changed[repeated] == index;
        repeated += isNext ? 1 : 0;
        Verdict verdict = replay(isNext ? i.before : List.of(), i);
        return verdict == null ? null : end(verdict, index);
    }

    private Verdict end(Verdict verdict, int index) {
        endedIn = all.number(index);
        return verdict;
    }

    /** Number of the interaction that ended the test, or before which it ended; {@link #RAN_THROUGH} if none did. */
    int endedIn() {
        return endedIn;
    }

    /** What is watched, as text; {@code null} if it did not come about. Call it when the engine has ended. */
    String watched() throws ReflectiveOperationException, IOException {
        switch (watch.kind) {
            case RESULT:
                return hasResult ? besides() + situation + engine.inspection().graph(result) : null;
            case STATE:
                return engine.inspection().graphOf(watch.subject, watch.className);
            case OUTPUT:
                return engine.output();
            case FLIP:
                return Flip.reported() + engine.output();
            case CLASS:
                return engine.inspection().graphOfClass(watch.className);
            case PREDICATE:
                return String.valueOf(engine.inspection().satisfies(watch.predicate()));
            default:
                return null;
        }
    }

    private String besides() {
        StringBuilder text = new StringBuilder();
        beside.forEach(other -> text.append(engine.inspection().graph(other)).append('\n'));
        return text.toString();
    }

    /** Repeats {@code before} and executes {@code i}, if any; {@code null} if the test goes on. */
    private Verdict replay(List<Effect> before, Interaction i) {
        try {
            engine.play(before);
            if (i != null && watch.isResultOf(i.no)) {
                situation = engine.inspection().situation(i);
                result = engine.execute(i);
                hasResult = true;
            } else if (i != null && watch.isBeside(i.no)) {
                beside.add(engine.execute(i));
            } else if (i != null) {
                engine.execute(i);
            }
        } catch (Stop e) {
            if (engine.progress().verdict() == null && session.isDirect() && e.verdict.isLack()) {
                lack = lack == null ? e.verdict : lack;
                return null;
            }
            return engine.progress().verdict() != null ? engine.progress().verdict() : e.verdict;
        } catch (Throwable e) {
            if (i == null) {
                return Verdict.unresolved(Why.HARNESS, "changes outside cannot be repeated: " + e, e);
            }
            Verdict verdict = engine.judge(i, e);
            // The last one fails. Where a jump was turned, it is no way to end well that it fails with another message, or elsewhere; but the failure
            // is gone if the next assertion fails.
            boolean mayThrow = watch.kind != Watch.Kind.FLIP || i.no != last || session.predicate.isBehind(e);
            return verdict.result == Verdict.Result.UNRESOLVED && engine.progress().verdict() == null
                    && mayThrow && engine.isRecordedOutcome(i, e) ? null : verdict;
        }
        if (engine.progress().verdict() != null) {
            return engine.progress().verdict();
        }
        if (strict && i != null && i.outcome.kind == Outcome.Kind.THREW) {
            return Verdict.unresolved(Why.DIVERGENCE,
                    "divergence in " + i + ": expected an exception, returned normally", null);
        }
        return null;
    }
}
