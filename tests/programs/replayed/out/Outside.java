package replayed.out;

import java.util.concurrent.Callable;

/** Not recorded: calls back, and hands on. */
public final class Outside {
    private Outside() {
    }

    /** Calls back twice. */
    public static int twice(Callable<Integer> task) {
        try {
            return task.call() + task.call();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
