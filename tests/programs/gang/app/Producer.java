package gang.app;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;

/** Puts five numbers, and one that says that there are no more. */
class Producer implements Callable<Integer> {
    static final int END = -1;
    private final BlockingQueue<Integer> queue;
    private final int first;
    private final CountDownLatch begin;

    Producer(BlockingQueue<Integer> queue, int first, CountDownLatch begin) {
        this.queue = queue;
        this.first = first;
        this.begin = begin;
    }

    @Override
    public Integer call() throws InterruptedException {
        begin.await();
        for (int n = 0; n < 5; n++) {
            queue.put(first + n);
        }
        queue.put(END);
        return first;
    }
}
