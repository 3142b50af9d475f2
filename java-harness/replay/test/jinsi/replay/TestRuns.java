package jinsi.replay;

/** Runs parts of sessions. */
final class TestRuns {
    private TestRuns() {
    }

    /** Runs a subset of a session's interactions. */
    static TestRun of(Session session, Mode mode, int... numbers) throws InterruptedException {
        TestRun run = new TestRun(session, mode, numbers, 1_000_000, Watch.NOTHING);
        run.run();
        return run;
    }
}
