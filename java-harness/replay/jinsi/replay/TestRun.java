package jinsi.replay;

import java.util.List;
import java.util.Map;

/** One test of the worker: a subset of a session's interactions, run with fresh classes and objects. */
final class TestRun {
    /** Deep enough for recursive programs; small enough for endless recursion to end soon. */
    static final long STACK_BYTES = 16L << 20;

    private final Session session;
    private final Mode mode;
    private final int[] kept;
    private final long budget;
    private final Watch watch;
    private Stretches stretches;
    private String watched;
    private Engine engine;
    private Verdict verdict;
    private int endedIn = Driver.RAN_THROUGH;
    private final Standstill standstill = new Standstill();

    TestRun(Session session, Mode mode, int[] kept, long budget, Watch watch) {
        this.session = session;
        this.mode = mode;
        this.kept = kept;
        this.budget = budget;
        this.watch = watch;
    }

    /** Runs the test to its end, on a thread and in a thread group of its own. */
    void run() throws InterruptedException {
        stretches = new Stretches(session);
        ThreadGroup group = new ThreadGroup("test");
        List<Setting> settings = session.isDirect() ? session.surroundings : Setting.ofReplay();
        Runnable test = () -> Setting.with(settings, this::runHere);
        Thread thread = new Thread(group, test, "main", STACK_BYTES);
        thread.setDaemon(true);
        thread.start();
        Verdict stayed = standstill.await(thread);
        verdict = stayed == null ? verdict : stayed;
        Replay.run(null);
    }

    private void runHere() {
        ReplayLoader loader = new ReplayLoader(session);
        try {
            Thread.currentThread().setContextClassLoader(loader);
            engine = new Engine(session, loader, session.isDirect() ? Mode.RESYNCHRONIZING : mode, budget,
                    standstill);
            engine.watch(watch);
            Flip.begin(watch);
            Replay.run(engine);
            Driver driver = new Driver(session, stretches, engine, mode == Mode.STRICT, watch);
            verdict = driver.run(kept);
            endedIn = driver.endedIn();
            if (watch != Watch.NOTHING) {
                engine.end();
                watched = driver.watched();
            }
        } catch (Throwable e) {
            // Only what replay itself did not foresee comes here; the worker must go on.
            verdict = Verdict.unresolved(Why.HARNESS, "internal error, please report it: " + e, e);
        } finally {
            Flip.end();
            loader.leave();
            if (engine != null && session.isDirect()) {
                engine.endThreads();
            }
            standstill.end();
        }
    }

    /** How it ended. */
    Verdict verdict() {
        return verdict;
    }

    /** Number of the interaction in which it ended; {@link Driver#RAN_THROUGH} if it executed all. */
    int endedIn() {
        return endedIn;
    }

    /** What was watched, as text; {@code null} if nothing was, or it did not come about. */
    String watched() {
        return watched;
    }

    /** Whether an answer was used out of sequence. */
    boolean resynchronized() {
        return engine != null && engine.resynchronized();
    }

    /** What a person should know about it. */
    List<String> notes() {
        return engine == null ? List.of() : engine.notes();
    }

    /** Numbers of the answers used, in order. */
    List<Integer> used() {
        return engine == null ? List.of() : engine.used();
    }

    /** Internal names of classes of stand-ins, and of the recorded classes in whose place they are; if the replay is recorded. */
    Map<String, String> standIns() {
        return engine == null ? Map.of() : engine.standIns();
    }

    /** Different lines of observed code executed; 0 if the session does not count them. */
    int lines() {
        return engine == null ? 0 : engine.lines();
    }

    /** See {@link Engine#way}. */
    long way() {
        return engine == null ? 0 : engine.way();
    }

    /** Backward branches taken. */
    long backEdges() {
        return engine == null ? 0 : engine.backEdges();
    }
}
