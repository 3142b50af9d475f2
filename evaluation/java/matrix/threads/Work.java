package threads;

/** The observed class: three calls a thread, of which two are from here. */
final class Work {
    private final int number;

    private Work(int number) {
        this.number = number;
    }

    /** What each thread runs: four events {@code Enter}. */
    static int step(int number) {
        return new Work(number).twice() + plus(number, 1);
    }

    private int twice() {
        return 2 * number;
    }

    private static int plus(int a, int b) {
        return a + b;
    }
}
