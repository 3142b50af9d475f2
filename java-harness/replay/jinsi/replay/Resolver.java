package jinsi.replay;

/** Turns recorded values into objects of the running test. */
interface Resolver {
    /**
     * The object that {@code value} stands for; made now if it does not exist yet.
     *
     * @throws MissingObjectException if it cannot be had in this test
     * @throws Stop if replay cannot make it at all
     */
    Object resolve(Value value) throws MissingObjectException;
}
