package env.app;

/** What is looked up by name. */
class Parts {
    private int number = 4;

    static int square(int n) {
        return n * n;
    }

    int number() {
        return number;
    }
}
