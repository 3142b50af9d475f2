package gang.app;

/** A thread of its own kind. */
class Worker extends Thread {
    private final Tally tally;
    private final String letter;

    Worker(Tally tally, String letter) {
        this.tally = tally;
        this.letter = letter;
    }

    String letter() {
        return letter;
    }

    @Override
    public void run() {
        for (int n = 0; n < 20; n++) {
            tally.add(letter, n);
            Thread.yield();
        }
    }
}
