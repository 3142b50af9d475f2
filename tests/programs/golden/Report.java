package golden;

/** Fails with what it was given. */
final class Report {
    private final boolean found;
    private final float sum;

    Report(boolean found, float sum) {
        this.found = found;
        this.sum = sum;
    }

    void check(String zone) {
        throw new IllegalStateException(found + " " + sum + " " + zone);
    }
}
