package edges.app;

/** A failure that is asked for its text when the program has ended. */
final class Odd extends RuntimeException {
    private static final long serialVersionUID = 1;

    Odd(String message) {
        super(message);
    }

    @Override
    public String toString() {
        return "odd: " + getMessage();
    }
}
