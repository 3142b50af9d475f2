package victim.work;

/** What some steps end with. */
public final class Odd extends Exception {
    private static final long serialVersionUID = 1;
    private final long number;

    Odd(long number) {
        super("odd step " + number);
        this.number = number;
    }

    /** The step's number. */
    public long number() {
        return number;
    }
}
