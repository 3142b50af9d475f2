package gang.app;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RecursiveTask;
import java.util.concurrent.atomic.AtomicLong;

/** What several threads share: a log that it inherits, numbers, containers of the JDK's that are made for that, a monitor that one method enters twice, a flag. */
class Store extends Logged {
    private final AtomicLong numbers = new AtomicLong();
    private final Map<String, Queue<Long>> shelves = new ConcurrentHashMap<>();
    private volatile int filled;

    /** Puts as many things as there are between the two numbers. */
    void fill(int from, int to) {
        for (int n = from; n < to; n++) {
            long number = numbers.incrementAndGet();
            if (filled < 0) {
                throw new IllegalStateException("nothing is taken out");
            }
            synchronized (lock) {
                log.add("<" + number);
            }
            shelves.computeIfAbsent("s" + n % 7, key -> new ConcurrentLinkedQueue<>()).add(number);
            synchronized (lock) {
                log.add(number + ">" + shelves.size());
                filled = log.size();
            }
        }
    }

    /** What is there, in an order that tells which thread did what when. */
    String text() {
        StringBuilder text = new StringBuilder();
        shelves.forEach((shelf, things) -> text.append(shelf).append(things));
        synchronized (lock) {
            return text.append(log).toString();
        }
    }

    /** Fills by halves, each of them another task. */
    static final class Halves extends RecursiveTask<Integer> {
        private final transient Store store;
        private final int from;
        private final int to;

        Halves(Store store, int from, int to) {
            this.store = store;
            this.from = from;
            this.to = to;
        }

        @Override
        protected Integer compute() {
            if (to - from < 20) {
                store.fill(from, to);
                return to - from;
            }
            int middle = (from + to) / 2;
            Halves left = new Halves(store, from, middle);
            Halves right = new Halves(store, middle, to);
            left.fork();
            return right.compute() + left.join();
        }
    }
}
