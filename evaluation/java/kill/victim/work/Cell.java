package victim.work;

/** Something with a field that others write. */
public final class Cell {
    /** The number of the last step. */
    public long value;
}
