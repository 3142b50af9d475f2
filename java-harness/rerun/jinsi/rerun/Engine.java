package jinsi.rerun;

/** A test engine, which need not be on the class path. */
interface Engine {
    /**
     * Runs a test. That it fails is nothing that this method tells.
     *
     * @return false if the engine is not there, or does not know the test; nothing has run then
     */
    boolean run(TestName test) throws ReflectiveOperationException;
}
