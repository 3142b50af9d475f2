package threads;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Threads that hand a {@link Cell} on by every means there is. Each increments it only while it is the only one that may, so the values written
 * to one cell rise by one: in any order of the run that contradicts nothing the threads synchronized by.
 *
 * <p>The argument is the number of rounds. Prints the last value of each cell.
 */
public final class Main {
    private static final int THREADS = 4;

    private Main() {}

    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]);
        for (Means means : all(rounds)) {
            Cell cell = new Cell();
            means.use(cell);
            System.out.println(means.getClass().getSimpleName() + " " + cell.value);
        }
    }

    private static List<Means> all(int rounds) {
        List<Means> all = new ArrayList<>();
        all.add(new Monitor(rounds));
        all.add(new SynchronizedMethod(rounds));
        all.add(new WaitNotify(rounds));
        all.add(new VolatileTurn(rounds));
        all.add(new ForeignVolatile(rounds));
        all.add(new Lock(rounds));
        all.add(new Atomic(rounds));
        all.add(new Permits(rounds));
        all.add(new Queue(rounds, new ArrayBlockingQueue<>(1), new ArrayBlockingQueue<>(1)));
        all.add(new Queue(rounds, new SynchronousQueue<>(), new SynchronousQueue<>()));
        all.add(new StartAndJoin(rounds));
        all.add(new Pool(rounds));
        all.add(new Stages(rounds));
        all.add(new Barrier(rounds));
        all.add(new Fork(rounds));
        all.add(new ConcurrentMap(rounds));
        all.add(new Park(rounds));
        all.add(new Initializer());
        all.add(new Throwing(rounds));
        all.add(new Virtual(rounds));
        return all;
    }

    /** Runs {@code body} on some threads and waits for them. */
    static void onThreads(int threads, Body body) throws Exception {
        List<Thread> started = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int me = i;
            Thread thread = new Thread(() -> {
                try {
                    body.run(me);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            thread.start();
            started.add(thread);
        }
        for (Thread thread : started) {
            thread.join();
        }
    }

    interface Body {
        void run(int me) throws Exception;
    }

    /** A means by which threads take turns. */
    abstract static class Means {
        final int rounds;

        Means(int rounds) {
            this.rounds = rounds;
        }

        abstract void use(Cell cell) throws Exception;
    }

    static final class Monitor extends Means {
        Monitor(int rounds) {
            super(rounds);
        }

        @Override
        void use(Cell cell) throws Exception {
            Object lock = new Object();
            onThreads(THREADS, me -> {
                for (int i = 0; i < rounds; i++) {
                    synchronized (lock) {
                        cell.value++;
                    }
                }
            });
        }
    }

    static final class SynchronizedMethod extends Means {
        SynchronizedMethod(int rounds) {
            super(rounds);
        }

        @Override
        void use(Cell cell) throws Exception {
            onThreads(THREADS, me -> {
                for (int i = 0; i < rounds; i++) {
                    if (i % 3 == 0) {
                        try {
                            fail(cell);
                        } catch (IllegalArgumentException expected) {
                            continue;
                        }
                    }
                    step(cell);
                }
            });
        }

        private synchronized void step(Cell cell) {
            cell.value++;
        }

        private synchronized void fail(Cell cell) {
            cell.value++;
            throw new IllegalArgumentException();
        }
    }

    static final class WaitNotify extends Means {
        private int turn;

        WaitNotify(int rounds) {
            super(rounds);
        }

        @Override
        void use(Cell cell) throws Exception {
            onThreads(2, me -> {
                for (int i = 0; i < rounds; i++) {
                    synchronized (this) {
                        while (turn != me) {
                            wait();
                        }
                        cell.value++;
                        turn = 1 - me;
                        notifyAll();
                    }
                }
            });
        }
    }

    static final class VolatileTurn extends Means {
        private volatile int turn;

        VolatileTurn(int rounds) {
            super(rounds);
        }

        @Override
        void use(Cell cell) throws Exception {
            onThreads(2, me -> {
                for (int i = 0; i < rounds; i++) {
                    while (turn != me) {
                        Thread.yield();
                    }
                    cell.value++;
                    turn = 1 - me;
                }
            });
        }
    }

    static final class ForeignVolatile extends Means {
        ForeignVolatile(int rounds) {
            super(rounds);
        }

        @Override
        void use(Cell cell) throws Exception {
            Turn turn = new Turn();
            onThreads(2, me -> {
                for (int i = 0; i < rounds; i++) {
                    while (turn.whose != me) {
                        Thread.yield();
                    }
                    cell.value++;
                    turn.whose = 1 - me;
                }
            });
        }
    }

    static final class Turn {
        volatile int whose;
    }

    static final class Lock extends Means {
        Lock(int rounds) {
            super(rounds);
        }

        @Override
        void use(Cell cell) throws Exception {
            ReentrantLock lock = new ReentrantLock();
            onThreads(THREADS, me -> {
                for (int i = 0; i < rounds; i++) {
                    lock.lock();
                    try {
                        cell.value++;
                    } finally {
                        lock.unlock();
                    }
                }
            });
        }
    }

    static final class Atomic extends Means {
        Atomic(int rounds) {
            super(rounds);
        }

        @Override
        void use(Cell cell) throws Exception {
            AtomicInteger taken = new AtomicInteger();
            onThreads(THREADS, me -> {
                for (int i = 0; i < rounds; i++) {
                    while (!taken.compareAndSet(0, 1)) {
                        Thread.yield();
                    }
                    cell.value++;
                    taken.set(0);
                }
            });
        }
    }

    static final class Permits extends Means {
        Permits(int rounds) {
            super(rounds);
        }

        @Override
        void use(Cell cell) throws Exception {
            Semaphore one = new Semaphore(1);
            onThreads(THREADS, me -> {
                for (int i = 0; i < rounds; i++) {
                    one.acquire();
                    cell.value++;
                    one.release();
                }
            });
        }
    }

    /** The cell itself goes from thread to thread and back. */
    static final class Queue extends Means {
        private final BlockingQueue<Cell> there;
        private final BlockingQueue<Cell> back;

        Queue(int rounds, BlockingQueue<Cell> there, BlockingQueue<Cell> back) {
            super(rounds);
            this.there = there;
            this.back = back;
        }

        @Override
        void use(Cell cell) throws Exception {
            onThreads(2, me -> {
                for (int i = 0; i < rounds; i++) {
                    if (me == 0) {
                        cell.value++;
                        there.put(cell);
                        back.take();
                    } else {
                        Cell mine = there.take();
                        mine.value++;
                        back.put(mine);
                    }
                }
            });
        }
    }

    static final class StartAndJoin extends Means {
        StartAndJoin(int rounds) {
            super(rounds);
        }

        @Override
        void use(Cell cell) throws Exception {
            for (int i = 0; i < rounds; i++) {
                cell.value++;
                Thread thread = new Incrementing(cell);
                thread.start();
                thread.join();
            }
        }
    }

    /** Observed, but what starts it and waits for it is the JDK's. */
    static final class Incrementing extends Thread {
        private final Cell cell;

        Incrementing(Cell cell) {
            this.cell = cell;
        }

        @Override
        public void run() {
            cell.value++;
        }
    }

    static final class Pool extends Means {
        Pool(int rounds) {
            super(rounds);
        }

        @Override
        void use(Cell cell) throws Exception {
            ExecutorService pool = Executors.newFixedThreadPool(THREADS);
            for (int i = 0; i < rounds; i++) {
                cell.value++;
                pool.submit(() -> cell.value++).get();
            }
            pool.shutdown();
        }
    }

    static final class Stages extends Means {
        Stages(int rounds) {
            super(rounds);
        }

        @Override
        void use(Cell cell) throws Exception {
            for (int i = 0; i < rounds; i++) {
                CompletableFuture.runAsync(() -> cell.value++)
                    .thenRunAsync(() -> cell.value++)
                    .get();
            }
        }
    }

    static final class Barrier extends Means {
        Barrier(int rounds) {
            super(rounds);
        }

        @Override
        void use(Cell cell) throws Exception {
            CyclicBarrier barrier = new CyclicBarrier(2);
            onThreads(2, me -> {
                for (int i = 0; i < rounds; i++) {
                    if (i % 2 == me) {
                        cell.value++;
                    }
                    barrier.await();
                }
            });
        }
    }

    static final class Fork extends Means {
        Fork(int rounds) {
            super(rounds);
        }

        @Override
        void use(Cell cell) {
            ForkJoinPool pool = new ForkJoinPool(2);
            for (int i = 0; i < rounds; i++) {
                pool.invoke(new Twice(cell, 2));
            }
            pool.shutdown();
        }
    }

    static final class Twice extends RecursiveAction {
        private static final long serialVersionUID = 1;
        private final transient Cell cell;
        private final int depth;

        Twice(Cell cell, int depth) {
            this.cell = cell;
            this.depth = depth;
        }

        @Override
        protected void compute() {
            cell.value++;
            if (depth > 0) {
                Twice inner = new Twice(cell, depth - 1);
                inner.fork();
                inner.join();
                cell.value++;
            }
        }
    }

    static final class ConcurrentMap extends Means {
        ConcurrentMap(int rounds) {
            super(rounds);
        }

        @Override
        void use(Cell cell) throws Exception {
            java.util.Map<String, Cell> map = new ConcurrentHashMap<>();
            map.put("cell", cell);
            onThreads(THREADS, me -> {
                for (int i = 0; i < rounds; i++) {
                    map.compute("cell", (key, value) -> {
                        value.value++;
                        return value;
                    });
                }
            });
        }
    }

    static final class Park extends Means {
        Park(int rounds) {
            super(rounds);
        }

        @Override
        void use(Cell cell) throws Exception {
            AtomicReference<Thread> turn = new AtomicReference<>();
            CountDownLatch ready = new CountDownLatch(2);
            Thread[] threads = new Thread[2];
            for (int i = 0; i < 2; i++) {
                int me = i;
                threads[i] = new Thread(() -> {
                    ready.countDown();
                    for (int round = 0; round < rounds; round++) {
                        while (turn.get() != Thread.currentThread()) {
                            LockSupport.park();
                        }
                        cell.value++;
                        turn.set(threads[1 - me]);
                        LockSupport.unpark(threads[1 - me]);
                    }
                });
            }
            for (Thread thread : threads) {
                thread.start();
            }
            ready.await();
            turn.set(threads[0]);
            LockSupport.unpark(threads[0]);
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    /** Threads that wait for a class to be initialized. */
    static final class Initializer extends Means {
        Initializer() {
            super(1);
        }

        @Override
        void use(Cell cell) throws Exception {
            Held.cell = cell;
            onThreads(2, me -> Held.Lazy.touch());
            cell.value++;
        }
    }

    static final class Held {
        static Cell cell;

        private Held() {}

        static final class Lazy {
            static {
                Held.cell.value++;
            }

            private Lazy() {}

            static synchronized void touch() {
                Held.cell.value++;
            }
        }
    }

    /** Tasks that end by an exception. */
    static final class Throwing extends Means {
        Throwing(int rounds) {
            super(rounds);
        }

        @Override
        void use(Cell cell) throws Exception {
            ExecutorService pool = Executors.newFixedThreadPool(2);
            for (int i = 0; i < rounds; i++) {
                try {
                    pool.submit(() -> {
                        cell.value++;
                        throw new IllegalStateException("task");
                    }).get();
                } catch (java.util.concurrent.ExecutionException expected) {
                    cell.value++;
                }
            }
            pool.shutdown();
        }
    }

    /** Many short threads, virtual ones where there are such (Java 21 and later). */
    static final class Virtual extends Means {
        Virtual(int rounds) {
            super(rounds);
        }

        @Override
        void use(Cell cell) throws Exception {
            Object lock = new Object();
            List<Thread> started = new ArrayList<>();
            for (int i = 0; i < rounds; i++) {
                started.add(start(() -> {
                    synchronized (lock) {
                        cell.value++;
                    }
                }));
            }
            for (Thread thread : started) {
                thread.join();
            }
        }

        private static Thread start(Runnable body) throws ReflectiveOperationException {
            try {
                return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, body);
            } catch (NoSuchMethodException older) {
                Thread thread = new Thread(body);
                thread.start();
                return thread;
            }
        }
    }

    /** What is handed on. */
    static final class Cell {
        int value;
    }
}
