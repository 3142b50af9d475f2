package unwound;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads that are ended from outside while they are in recorded code: {@code stop} (up to Java 19), {@code interrupt}, {@code overflow}.
 * What it prints is the same without agent.
 */
public final class Main {
    private static final int THREADS = 8;
    private static final long PATIENCE = 20_000;

    private static final AtomicInteger ENDED = new AtomicInteger();
    private static final AtomicInteger OTHERWISE = new AtomicInteger();

    private Main() {}

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "stop":
                stop();
                break;
            case "interrupt":
                interrupt();
                break;
            case "overflow":
                overflow();
                break;
            default:
                throw new IllegalArgumentException(args[0]);
        }
        // A thread that goes on for ever must not keep the JVM: what was printed says that there is one.
        Runtime.getRuntime().exit(0);
    }

    @SuppressWarnings({"deprecation", "removal"})
    private static void stop() throws Exception {
        Object lock = new Object();
        for (int n = 0; n < THREADS; n++) {
            Work work = new Work(lock);
            Thread thread = new Thread(work::endless);
            thread.setUncaughtExceptionHandler((t, e) -> (e instanceof ThreadDeath ? ENDED : OTHERWISE).incrementAndGet());
            thread.start();
            while (work.steps() < 5_000) {
                Thread.sleep(1);
            }
            Thread.sleep(n * 7L);
            thread.stop();
            thread.join(PATIENCE);
            if (thread.isAlive()) {
                System.out.println("a thread still runs");
                return;
            }
        }
        Thread last = new Thread(() -> System.out.println(new Work(lock).once()));
        last.start();
        last.join(PATIENCE);
        System.out.println("ended " + ENDED + ", otherwise " + OTHERWISE + ", lock " + (last.isAlive() ? "held" : "free"));
    }

    private static void interrupt() throws Exception {
        for (int n = 0; n < THREADS; n++) {
            Work work = new Work(new Object());
            boolean sleeps = n % 2 == 0;
            Thread thread = new Thread(() -> {
                try {
                    if (sleeps) {
                        work.sleep();
                    } else {
                        work.untilInterrupted();
                    }
                } catch (InterruptedException e) {
                    ENDED.incrementAndGet();
                }
            });
            thread.start();
            Thread.sleep(20 + n * 7L);
            thread.interrupt();
            thread.join(PATIENCE);
            if (thread.isAlive()) {
                System.out.println("a thread still runs");
                return;
            }
        }
        System.out.println("interrupted " + ENDED);
    }

    private static void overflow() throws Exception {
        Deep deep = new Deep();
        try {
            deep.down(0);
        } catch (StackOverflowError e) {
            System.out.println("caught at " + e.getStackTrace()[0].getClassName());
        }
        Thread thread = new Thread(() -> deep.down(0));
        thread.setName("deep");
        thread.start();
        thread.join();
    }
}
