package crews;

import java.util.concurrent.Callable;

/** A job of some size. */
final class Job implements Callable<Integer> {
    private final int size;

    Job(int size) {
        this.size = size;
    }

    @Override
    public Integer call() {
        System.out.println("a job of " + size);
        return 10 * size;
    }
}
