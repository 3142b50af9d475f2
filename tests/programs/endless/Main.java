package endless;

/**
 * A server without end, but for that it has one: it takes orders in a loop until one hits a tariff that was set wrong before the first.
 * One interaction is needed, the last order, if what the tariffs hold is known; the one that set it is long forgotten.
 */
public final class Main {
    private static final int BREATH = 50;

    private Main() {}

    /** Takes so many orders, then the one that fails. Not so fast that what is recorded has to wait. */
    public static void main(String[] args) throws InterruptedException {
        Service service = new Service();
        service.tariff("silver", 3);
        service.tariff("gold", null);
        long seed = 1;
        for (int n = Integer.parseInt(args[0]); n > 0; n--) {
            seed = seed * 6364136223846793005L + 1442695040888963407L;
            service.take(new Order("silver", Long.toHexString(seed) + Long.toHexString(seed * seed), (int) (seed >>> 60)));
            if (n % BREATH == 0) {
                Thread.sleep(1);
            }
        }
        System.out.println(service.taken());
        service.take(new Order("gold", "the last", 1));
    }
}
