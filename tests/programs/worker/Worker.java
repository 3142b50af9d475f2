package worker;

/** Observed. Uses what every object can do, and what a thread does of it: {@code clone} throws. */
final class Worker extends Thread {
    private int sum;

    Object copy() {
        try {
            return clone();
        } catch (CloneNotSupportedException e) {
            System.out.println("no copy of " + getName());
            return null;
        }
    }

    void add(int number) {
        sum += number;
    }

    void check(int limit) {
        tidy();
        System.out.println("checked");
        if (sum >= limit) {
            throw new IllegalStateException("too much: " + sum);
        }
    }

    private void tidy() {
        synchronized (this) {
            notifyAll();
        }
        try {
            super.finalize();
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
