package later.out;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import later.app.Shop;

/** Buys until nothing is left; the argument says who fails then. */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws Exception {
        ExecutorService workers = Executors.newFixedThreadPool(2);
        try {
            Shop shop = new Shop(workers, 2);
            shop.share("torch", 1).get();
            shop.buy("lamp").join();
            if (args[0].equals("buy")) {
                shop.buy("lamp").join();
            } else {
                new Shop(workers, 0).share("lamp", 1).get();
            }
        } catch (RuntimeException | ExecutionException e) {
            System.out.println("nothing is left: " + e.getCause());
        } finally {
            workers.shutdown();
        }
    }
}
