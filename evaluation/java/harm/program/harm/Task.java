package harm;

/** What a thread or a pool runs. */
final class Task implements Runnable {
    private final Canary canary;

    Task(Canary canary) {
        this.canary = canary;
    }

    @Override
    public void run() {
        Ways.unchecked(canary::perform);
    }
}
