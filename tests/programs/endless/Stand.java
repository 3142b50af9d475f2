package endless;

/** Where a kiosk's orders come from. The tariff that is wrong was set before the first. */
public final class Stand {
    private static final int BREATH = 50;

    private Stand() {}

    /** Takes so many orders, then the one that fails. Not so fast that what is recorded has to wait. */
    public static void main(String[] args) throws InterruptedException {
        Kiosk.tariff("silver", 3);
        Kiosk.tariff("gold", 0);
        long seed = 1;
        for (int n = Integer.parseInt(args[0]); n > 0; n--) {
            seed = seed * 6364136223846793005L + 1442695040888963407L;
            Kiosk.instance().take("silver", Long.toHexString(seed) + Long.toHexString(seed * seed), (int) (seed >>> 60));
            if (n % BREATH == 0) {
                Thread.sleep(1);
            }
        }
        Kiosk.instance().take("gold", "the last", 1);
    }
}
