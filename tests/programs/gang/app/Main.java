package gang.app;

import gang.out.Starter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;

/** Threads that work on the same objects; each way ends by an exception that tells in which order they did. */
public final class Main {
    private static final ThreadLocal<Integer> OWN = ThreadLocal.withInitial(() -> 7);

    private Main() {
    }

    public static void main(String[] args) throws Exception {
        Tally tally = new Tally();
        switch (args[0]) {
            case "executor":
                executor(tally);
                break;
            case "waiting":
                waiting(tally, false);
                break;
            case "virtual":
                waiting(tally, true);
                break;
            case "failing":
                failing(tally);
                break;
            case "shared":
                shared();
                break;
            case "halves":
                Store halves = new Store();
                int sum = new ForkJoinPool(4).invoke(new Store.Halves(halves, 0, 200));
                throw new IllegalStateException(sum + halves.text());
            case "future":
                future(tally);
                break;
            default:
                subclass(tally);
                break;
        }
        throw new IllegalStateException(tally.text());
    }

    /** Producers and consumers over a queue of the JDK's. */
    private static void executor(Tally tally) throws Exception {
        BlockingQueue<Integer> queue = new LinkedBlockingQueue<>(2);
        ExecutorService pool = Executors.newFixedThreadPool(4);
        List<Future<?>> all = new ArrayList<>();
        CountDownLatch begin = new CountDownLatch(1);
        for (int n = 0; n < 2; n++) {
            all.add(pool.submit(new Producer(queue, 10 * n, begin)));
            all.add(pool.submit(new Consumer(queue, "c" + n + ":", tally)));
        }
        begin.countDown();
        for (Future<?> one : all) {
            one.get();
        }
        pool.shutdown();
    }

    /** Two threads that hand over by monitors of recorded objects. */
    private static void waiting(Tally tally, boolean virtual) throws InterruptedException {
        Slot slot = new Slot();
        List<Thread> threads = new ArrayList<>();
        for (int n = 1; n <= 2; n++) {
            int first = 100 * n;
            Starter.threads(virtual, threads).execute(() -> fill(slot, first));
            Starter.threads(virtual, threads).execute(() -> empty(slot, tally));
        }
        Starter.join(threads);
        tally.add("waits", slot.waits() > 1000 ? 1 : 0);
    }

    /** Four threads that share what is made for that. */
    private static void shared() throws InterruptedException {
        Store store = new Store();
        List<Thread> threads = new ArrayList<>();
        for (int n = 0; n < 4; n++) {
            int first = 100 * n;
            Starter.threads(false, threads).execute(() -> store.fill(first, first + 100));
        }
        Starter.join(threads);
        throw new IllegalStateException(store.text());
    }

    /** What main has set lets another thread die. */
    private static void failing(Tally tally) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        tally.limit(300);
        Starter.threads(false, threads).execute(() -> tally.add("small", 1));
        Starter.join(threads);
        Starter.threads(false, threads).execute(() -> tally.add("large", 301));
        Starter.join(threads);
    }

    private static void fill(Slot slot, int first) {
        try {
            for (int n = 0; n < 5; n++) {
                slot.put(first + n);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void empty(Slot slot, Tally tally) {
        try {
            for (int n = 0; n < 5; n++) {
                tally.add(Thread.currentThread().getName().isEmpty() ? "v" : "t", slot.take() + OWN.get());
                OWN.set(OWN.get() + 1);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void future(Tally tally) {
        CompletableFuture<Integer> one = CompletableFuture.supplyAsync(() -> step(tally, "a", 1));
        CompletableFuture<Integer> two = CompletableFuture.supplyAsync(() -> step(tally, "b", 2));
        int both = one.thenCombineAsync(two, Integer::sum).thenApplyAsync(n -> step(tally, "c", n)).join();
        tally.add("end", both);
    }

    private static int step(Tally tally, String who, int amount) {
        tally.add(who, amount);
        return tally.sum();
    }

    private static void subclass(Tally tally) throws InterruptedException {
        Worker[] workers = {new Worker(tally, "x"), new Worker(tally, "y")};
        for (Worker worker : workers) {
            worker.setName("worker " + worker.letter());
            worker.start();
        }
        for (Worker worker : workers) {
            worker.join();
        }
        tally.add(workers[0].isAlive() ? "alive" : workers[1].getName(), 1);
    }
}
