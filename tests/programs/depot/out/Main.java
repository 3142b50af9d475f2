package depot.out;

import depot.app.Depot;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Gives a depot its orders. What the last article needs was done long before. */
final class Main {
    private Main() {}

    public static void main(String[] args) {
        BlockingQueue<String> orders = new LinkedBlockingQueue<>();
        orders.add("lamp 0");
        for (int n = 1; n < 600; n++) {
            orders.add("chair" + n + " " + n);
            orders.add("chair" + n);
        }
        orders.add("lamp");
        new Depot(orders);
    }
}
