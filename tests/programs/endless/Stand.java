package endless;

/** Where a kiosk's orders come from. The tariff that is wrong was set before the first. */
public final class Stand {
    private static final int THREADS = 4;
    private static final int BREATH = 10;

    private Stand() {}

    /** Has so many orders taken, then the one that fails. Not so fast that what is recorded has to wait. */
    public static void main(String[] args) throws InterruptedException {
        Kiosk.tariff("silver", 3);
        Kiosk.tariff("gold", 0);
        int orders = Integer.parseInt(args[0]) / THREADS;
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            long first = i + 1;
            threads[i] = new Thread(() -> take(first, orders));
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        Kiosk.instance().take("gold", "the last", 1);
    }

    private static void take(long first, int orders) {
        long seed = first;
        for (int n = orders; n > 0; n--) {
            seed = seed * 6364136223846793005L + 1442695040888963407L;
            Kiosk.instance().take("silver", Long.toHexString(seed) + Long.toHexString(seed * seed), (int) (seed >>> 60));
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
