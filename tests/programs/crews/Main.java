package crews;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;

/** Has crews do jobs in every way in which a job comes to who does it otherwise than by one call that hands it over and waits. */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        int all = done(pool, jobs(3));
        int twice = measuredFirst(pool) + measuredAgain(pool);
        CountDownLatch go = new CountDownLatch(1);
        Future<Integer> future = begun(pool, go);
        int late = taken(future, go);
        int early = built(pool, 4);
        long sum = summed(new ForkJoinPool(2), 8);
        Board board = new Board();
        Thread clerk = new Thread(new Clerk(board), "clerk");
        board.clerk = clerk;
        int seen = watched(board);
        pool.shutdown();
        throw new IllegalStateException(
                "" + all + twice + late + early + sum + seen + finished(new Board()));
    }

    /** A list of jobs, which another call has done. */
    static List<Callable<Integer>> jobs(int count) {
        List<Callable<Integer>> jobs = new ArrayList<>();
        for (int no = 1; no <= count; no++) {
            jobs.add(new Job(no));
        }
        return jobs;
    }

    static int done(ExecutorService pool, List<Callable<Integer>> jobs) throws Exception {
        int sum = 0;
        for (Future<Integer> one : pool.invokeAll(jobs)) {
            sum += one.get();
        }
        return sum;
    }

    /** The same function is handed over here as below. */
    static int measuredFirst(ExecutorService pool) throws Exception {
        return pool.submit(Main::measure).get();
    }

    static int measuredAgain(ExecutorService pool) throws Exception {
        return pool.submit(Main::measure).get();
    }

    static int measure() {
        return 2;
    }

    /** The job is not done before it is waited for. */
    static Future<Integer> begun(ExecutorService pool, CountDownLatch go) {
        return pool.submit(
                () -> {
                    go.await();
                    return measure() + 3;
                });
    }

    static int taken(Future<Integer> future, CountDownLatch go) throws Exception {
        go.countDown();
        return future.get();
    }

    /** What it makes is done by another thread. */
    static int built(ExecutorService pool, int amount) throws Exception {
        Job job = made(amount);
        idle();
        return pool.submit((Callable<Integer>) job).get() + after();
    }

    static Job made(int amount) {
        return new Job(amount);
    }

    static void idle() {}

    static int after() {
        return 0;
    }

    static long summed(ForkJoinPool pool, int upTo) {
        return pool.invoke(new Sum(1, upTo));
    }

    /** The clerk writes something on the board meanwhile. */
    static int watched(Board board) throws InterruptedException {
        board.looks++;
        board.clerk.start();
        board.clerk.join();
        return board.looks;
    }

    static int finished(Board board) throws InterruptedException {
        Thread other = new Thread(new Clerk(board), "other clerk");
        other.start();
        board.written.await();
        return look(board, other);
    }

    /** It only waits for who was sent by its caller. */
    static int look(Board board, Thread other) throws InterruptedException {
        board.go.countDown();
        other.join();
        return board.notice;
    }
}
