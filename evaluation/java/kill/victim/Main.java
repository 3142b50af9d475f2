package victim;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import victim.work.Odd;
import victim.work.Steps;
import victim.work.Task;

/**
 * Works on several threads until it is killed, or for some steps, and keeps in a file how far each thread is.
 *
 * <p>Threads {@code worker-0} and {@code worker-1} take steps; {@code starter} starts {@code short-3}, {@code short-4}, …, each of
 * which takes three steps and ends; {@code loader-2} loads a new class for each of its steps. The number in a thread's name is its
 * place in the file.
 *
 * <p>Arguments: the file, steps of a worker, microseconds that a worker sleeps after each hundred steps.
 */
public final class Main {
    /** Numbers in the file: threads that there can be. */
    private static final int PLACES = 8_192;
    private static final int LOADER = 2;
    private static final int FIRST_SHORT = 3;
    private static final int STEPS_OF_SHORT = 3;
    private static final int CLASSES = 9_999;

    private final Progress progress;
    private final long steps;
    private final long pause;
    private long sum;

    private Main(Progress progress, long steps, long pause) {
        this.progress = progress;
        this.steps = steps;
        this.pause = pause;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        Progress progress = new Progress(Paths.get(args[0]), PLACES);
        Main main = new Main(progress, Long.parseLong(args[1]), Long.parseLong(args[2]));
        List<Thread> threads = new ArrayList<>();
        threads.add(new Thread(() -> main.work(new Steps(), 0, main.steps), "worker-0"));
        threads.add(new Thread(() -> main.work(new Steps(), 1, main.steps), "worker-1"));
        threads.add(new Thread(main::load, "loader-" + LOADER));
        threads.add(new Thread(main::start, "starter"));
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("sum " + main.sum);
    }

    /** Takes steps; what came out is the sum's share of this thread. */
    private void work(Task task, int place, long steps) {
        int[] numbers = new int[4];
        long all = 0;
        for (long number = 1; number <= steps; number++) {
            all += step(task, number, numbers);
            progress.set(place, number);
            if (pause > 0 && number % 100 == 0) {
                sleep(pause);
            }
        }
        add(all);
    }

    private static long step(Task task, long number, int[] numbers) {
        try {
            return task.step(number, "step " + number, numbers);
        } catch (Odd e) {
            return e.number();
        }
    }

    /** Short threads, one after the other. */
    private void start() {
        long count = Math.min(steps / 50, PLACES - FIRST_SHORT);
        for (int i = 0; i < count; i++) {
            int place = FIRST_SHORT + i;
            Thread thread = new Thread(() -> work(new Steps(), place, STEPS_OF_SHORT), "short-" + place);
            thread.start();
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** New classes, one after the other, each of which takes one step. */
    private void load() {
        Renamer renamer = new Renamer();
        long all = 0;
        for (int number = 1; number <= Math.min(steps / 50, CLASSES); number++) {
            all += step(renamer.task(number), number, new int[1]);
            progress.set(LOADER, number);
        }
        add(all);
    }

    private synchronized void add(long all) {
        sum += all;
    }

    private static void sleep(long micros) {
        try {
            Thread.sleep(micros / 1000, (int) (micros % 1000 * 1000));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Loads a class under other names. */
    private static final class Renamer extends ClassLoader {
        private static final String TEMPLATE = "Template0000";
        private final byte[] original;

        Renamer() {
            super(Main.class.getClassLoader());
            try (InputStream in = Main.class.getResourceAsStream("work/" + TEMPLATE + ".class")) {
                original = in.readAllBytes();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        Task task(int number) {
            String name = String.format(Locale.ROOT, "Template%04d", number);
            byte[] bytes = original.clone();
            for (int at = 0; at + name.length() <= bytes.length; at++) {
                if (isTemplate(bytes, at)) {
                    for (int i = 0; i < name.length(); i++) {
                        bytes[at + i] = (byte) name.charAt(i);
                    }
                }
            }
            try {
                Class<?> renamed = defineClass("victim.work." + name, bytes, 0, bytes.length);
                return (Task) renamed.getConstructor().newInstance();
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }

        private static boolean isTemplate(byte[] bytes, int at) {
            for (int i = 0; i < TEMPLATE.length(); i++) {
                if (bytes[at + i] != TEMPLATE.charAt(i)) {
                    return false;
                }
            }
            return true;
        }
    }
}
