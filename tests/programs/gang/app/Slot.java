package gang.app;

/** Holds one value at a time; whoever comes too early waits. */
class Slot {
    private Integer value;
    private int waits;

    synchronized void put(int next) throws InterruptedException {
        while (value != null) {
            waits++;
            wait();
        }
        value = next;
        notifyAll();
    }

    synchronized int take() throws InterruptedException {
        while (value == null) {
            waits++;
            wait();
        }
        int taken = value;
        value = null;
        notifyAll();
        return taken;
    }

    synchronized int waits() {
        return waits;
    }
}
