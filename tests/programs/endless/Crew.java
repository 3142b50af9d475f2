package endless;

/**
 * The same with several threads that take orders of the same service, one at a time, and with nothing observed that loops. Which of them
 * is in the middle of an order when a window begins, only the agent can see to.
 */
public final class Crew {
    private static final int THREADS = 4;
    private static final int BREATH = 10;

    private Crew() {}

    /** Takes so many orders, then the one that fails. */
    public static void main(String[] args) throws InterruptedException {
        Desk desk = new Desk();
        int orders = Integer.parseInt(args[0]) / THREADS;
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            long first = i + 1;
            threads[i] = new Thread(() -> take(desk, first, orders));
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        desk.take("gold", "the last", 1);
    }

    private static void take(Desk desk, long first, int orders) {
        long seed = first;
        for (int n = orders; n > 0; n--) {
            seed = seed * 6364136223846793005L + 1442695040888963407L;
            desk.take("silver", Long.toHexString(seed) + Long.toHexString(seed * seed), (int) (seed >>> 60));
            if (n % BREATH == 0) {
                rest();
            }
        }
    }

    private static void rest() {
        try {
            Thread.sleep(1);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
