package unwound;

import java.util.HashMap;
import java.util.Map;

/** Makes objects, calls methods, enters a monitor and leaves it. */
final class Work {
    private final Object lock;
    private final Map<String, Node> seen = new HashMap<>();
    private volatile long steps;
    private long sum;

    private static final class Node {
        private final long value;
        private Node next;

        Node(long value, Node next) {
            this.value = value;
            this.next = next;
        }
    }

    Work(Object lock) {
        this.lock = lock;
    }

    long steps() {
        return steps;
    }

    void endless() {
        while (true) {
            step();
        }
    }

    String once() {
        synchronized (lock) {
            return "entered";
        }
    }

    void sleep() throws InterruptedException {
        while (true) {
            step();
            Thread.sleep(1_000_000);
        }
    }

    void untilInterrupted() throws InterruptedException {
        while (true) {
            step();
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }

    private void step() {
        Node node = new Node(sum, null);
        node.next = new Node(steps, node);
        seen.put("n" + (sum & 63), node);
        synchronized (lock) {
            sum = node.next.value * 31 + seen.size();
        }
        steps++;
    }
}
