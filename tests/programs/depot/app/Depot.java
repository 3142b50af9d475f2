package depot.app;

import java.util.concurrent.BlockingQueue;

/** Begins to work as soon as it is made, and keeps nothing of what it works with. */
public class Depot {
    public Depot(BlockingQueue<String> orders) {
        new Thread(new Clerk(orders, new Store()), "clerk").start();
    }
}
