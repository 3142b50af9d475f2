package desk;

/** Fails behind what {@link Fine} did, not in it. */
public class Apart {
    private Apart() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        int number = Fine.twice(21);
        throw new IllegalStateException("of " + number);
    }
}
