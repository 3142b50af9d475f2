package gang.app;

import java.util.concurrent.BlockingQueue;

/** Takes numbers until there are no more. */
class Consumer implements Runnable {
    private final BlockingQueue<Integer> queue;
    private final String name;
    private final Tally tally;

    Consumer(BlockingQueue<Integer> queue, String name, Tally tally) {
        this.queue = queue;
        this.name = name;
        this.tally = tally;
    }

    @Override
    public void run() {
        try {
            for (int next = queue.take(); next != Producer.END; next = queue.take()) {
                tally.add(name, next);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
