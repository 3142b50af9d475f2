package jinsi.replay;


/** Runs all tests of the replay worker. Prints how many passed; exit status 1 if any failed. */
public final class SelfTest {
    private SelfTest() {
    }

    /**
     * Runs everything.
     *
     * @param args none
     */
    public static void main(String[] args) {
        Check check = new Check();
        NumberWriterTest.run(check);
        PanelTest.run(check);
        ContentTest.run(check);
        ObjectsTest.run(check);
        GivenTest.run(check);
        ScriptTest.run(check);
        WorkerTest.run(check);
        System.exit(check.summary() ? 0 : 1);
    }

    /** Runs a subset of a session's interactions. */
    static TestRun run(Session session, Mode mode, int... numbers) throws InterruptedException {
        TestRun run = new TestRun(session, mode, numbers, 1_000_000, Watch.NOTHING);
        run.run();
        return run;
    }
}
