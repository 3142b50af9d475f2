package sliced;

import java.util.concurrent.SynchronousQueue;

/** Two threads in turn: each adds to what the other one has written last. */
final class Relay {
    private final int[] cells;
    private final SynchronousQueue<Integer> baton = new SynchronousQueue<>();
    private int started;

    Relay(int turns) {
        cells = new int[turns + 1];
    }

    /** Takes every second turn. */
    void run(int first) {
        try {
            for (int turn = first; turn < cells.length; turn += 2) {
                if (turn > 1) {
                    baton.take();
                }
                cells[turn] = cells[turn - 1] + 1; // run: add
                if (turn + 1 < cells.length) {
                    baton.put(turn);
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Relay relay = new Relay(40);
        relay.cells[0] = 7; // main: first
        Thread other = new Thread(() -> relay.run(2), "other");
        other.start();
        relay.run(1);
        other.join();
        int last = relay.cells[relay.cells.length - 1];
        throw new IllegalStateException("last " + last);
    }
}
