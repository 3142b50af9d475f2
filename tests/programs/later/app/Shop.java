package later.app;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/** Sells pieces; somebody else's threads do the work. */
public class Shop {
    private final ExecutorService workers;
    private final int pieces;
    private final Map<String, Integer> stock = new ConcurrentHashMap<>();

    public Shop(ExecutorService workers, int pieces) {
        this.workers = workers;
        this.pieces = pieces;
    }

    /** What is left, in percent; of the last piece, nobody can say. */
    public CompletableFuture<Integer> buy(String article) {
        return CompletableFuture.supplyAsync(() -> stock.merge(article, pieces - 1, (left, first) -> left - 1), workers)
                .thenApply(left -> 100 * pieces / left);
    }

    /** How much of what is left an order takes, in percent. */
    public Future<Integer> share(String article, int ordered) {
        return workers.submit(() -> {
            int left = stock.getOrDefault(article, pieces);
            return 100 * ordered / left;
        });
    }
}
