package depot.app;

import java.util.concurrent.BlockingQueue;

/** Does what a queue says, until it says {@code close}. */
public class Clerk implements Runnable {
    private final BlockingQueue<String> orders;
    private final Store store;

    Clerk(BlockingQueue<String> orders, Store store) {
        this.orders = orders;
        this.store = store;
    }

    @Override
    public void run() {
        try {
            for (String order = orders.take(); !order.equals("close"); order = orders.take()) {
                String[] words = order.split(" ");
                if (words.length == 1) {
                    store.share(words[0]);
                } else {
                    store.put(words[0], Integer.parseInt(words[1]));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
