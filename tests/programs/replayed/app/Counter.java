package replayed.app;

/** Has neither a hash code nor a text of its own. */
class Counter {
    private int count;

    int next(int step) {
        count += step + 1;
        return count;
    }

    int current() {
        return count;
    }
}
