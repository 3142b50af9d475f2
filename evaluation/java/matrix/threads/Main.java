package threads;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Runs an observed class on many short-lived threads. Arguments: {@code virtual} or {@code platform}, and how many. Prints the sum of
 * what they computed, and what memory the process has that is not mapped from a file, in KiB.
 */
public final class Main {
    private static final AtomicLong SUM = new AtomicLong();

    private Main() {
    }

    /** Starts the threads and waits for them. */
    public static void main(String[] args) throws Exception {
        int count = Integer.parseInt(args[1]);
        List<Thread> threads = new ArrayList<>();
        for (int n = 0; n < count; n++) {
            int number = n;
            threads.add(start(args[0], () -> SUM.addAndGet(Work.step(number))));
            if (threads.size() == 500) {
                join(threads);
            }
        }
        join(threads);
        System.out.println("sum " + SUM);
        System.out.println("anonymous " + anonymous());
    }

    private static Thread start(String kind, Runnable work) throws ReflectiveOperationException {
        if (kind.equals("virtual")) {
            // By reflection: the class has to load where there are none.
            Method method = Thread.class.getMethod("startVirtualThread", Runnable.class);
            return (Thread) method.invoke(null, work);
        }
        Thread thread = new Thread(work);
        thread.start();
        return thread;
    }

    private static void join(List<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
        threads.clear();
    }

    private static long anonymous() throws IOException {
        return Files.readAllLines(Paths.get("/proc/self/status")).stream().filter(line -> line.startsWith("RssAnon:"))
            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", ""))).sum();
    }
}
