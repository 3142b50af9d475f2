package gang.out;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/** Not observed: runs tasks on threads of several kinds. */
public final class Starter {
    private Starter() {
    }

    /** Threads of the platform, or virtual ones where there are any. */
    public static Executor threads(boolean virtual, List<Thread> started) {
        return task -> {
            Thread thread = virtual ? virtual(task) : new Thread(task);
            started.add(thread);
            if (!virtual) {
                thread.start();
            }
        };
    }

    private static Thread virtual(Runnable task) {
        try {
            return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
        } catch (ReflectiveOperationException e) {
            Thread thread = new Thread(task);
            thread.start();
            return thread;
        }
    }

    /** Waits for all of them. */
    public static void join(List<Thread> started) throws InterruptedException {
        for (Thread thread : new ArrayList<>(started)) {
            thread.join();
        }
    }
}
