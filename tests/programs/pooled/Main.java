package pooled;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Weighs parcels in a pool, has a future price them and a thread note the sum, and finds that it is wrong. */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        int sum = weighed(pool, 5) + priced(7);
        pool.shutdown();
        Tally tally = new Tally();
        note(tally, sum);
        if (tally.sum != 15 + 21) {
            throw new IllegalStateException("the sum is wrong");
        }
    }

    /** The weight of so many parcels. */
    static int weighed(ExecutorService pool, int parcels) throws Exception {
        List<Future<Integer>> weights = new ArrayList<>();
        for (int no = 1; no <= parcels; no++) {
            int parcel = no;
            weights.add(pool.submit(() -> Scales.weight(parcel)));
        }
        int sum = 0;
        for (Future<Integer> weight : weights) {
            sum += weight.get();
        }
        return sum;
    }

    /** What it costs. */
    static int priced(int weight) {
        return CompletableFuture.supplyAsync(() -> Scales.price(weight)).join();
    }

    static void note(Tally tally, int sum) throws InterruptedException {
        Thread noting = new Thread(new Noting(tally, sum), "noting");
        noting.start();
        noting.join();
    }
}
