package pooled;

/** Notes a sum. */
final class Noting implements Runnable {
    private final Tally tally;
    private final int sum;

    Noting(Tally tally, int sum) {
        this.tally = tally;
        this.sum = sum;
    }

    @Override
    public void run() {
        tally.sum = sum;
    }
}
