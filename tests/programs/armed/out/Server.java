package armed.out;

import armed.app.Shop;
import java.util.Scanner;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A server that is told on standard input what it is asked: {@code serve N} orders that go well, by several threads; {@code gift}, an order that
 * fails; or {@code lose}, behind which each second order fails. At the end of its input it says what all answers were.
 */
public final class Server {
    private static final int THREADS = 4;

    private Server() {}

    /** Serves. */
    public static void main(String[] args) throws Exception {
        Shop shop = new Shop();
        AtomicLong answers = new AtomicLong();
        ExecutorService workers = Executors.newFixedThreadPool(THREADS);
        Scanner input = new Scanner(System.in);
        while (input.hasNext()) {
            switch (input.next()) {
                case "serve":
                    serve(shop, input.nextInt(), workers, answers);
                    break;
                case "gift":
                    workers.submit(() -> order(shop, "ann", "gift", 1, answers)).get();
                    break;
                default:
                    shop.lose("ann");
                    break;
            }
            System.out.println("done");
        }
        workers.shutdown();
        System.out.println(answers.get());
    }

    private static void serve(Shop shop, int orders, ExecutorService workers, AtomicLong answers)
            throws InterruptedException, ExecutionException {
        Future<?>[] all = new Future<?>[orders];
        for (int i = 0; i < orders; i++) {
            int n = i;
            all[i] = workers.submit(() -> order(shop, n % 2 == 0 ? "ann" : "bob", n % 3 == 0 ? "tea" : "salt", n % 7 + 1, answers));
        }
        for (Future<?> one : all) {
            one.get();
        }
    }

    private static void order(Shop shop, String customer, String item, int count, AtomicLong answers) {
        try {
            answers.addAndGet(shop.order(customer, item, count));
        } catch (RuntimeException e) {
            answers.addAndGet(1_000_000);
        }
    }
}
