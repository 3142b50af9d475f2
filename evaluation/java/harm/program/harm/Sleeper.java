package harm;

/** A thread that is there and does nothing. */
final class Sleeper implements Runnable {
    private final int milliseconds;

    Sleeper(int milliseconds) {
        this.milliseconds = milliseconds;
    }

    @Override
    public void run() {
        try {
            Thread.sleep(milliseconds);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
