package losses;

import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.ref.Cleaner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;

/** Recorded methods called by everybody but recorded code, and things that cannot be recorded. Prints how many of each there were. */
public final class Main {
    private Main() {
    }

    static final class Key implements Comparable<Key> {
        final int number;

        Key(int number) {
            this.number = number;
        }

        @Override
        public int compareTo(Key other) {
            return Integer.compare(number, other.number);
        }
    }

    static final class ByNumber implements Comparator<Key> {
        @Override
        public int compare(Key a, Key b) {
            return a.compareTo(b);
        }
    }

    static final class Task implements Runnable {
        final CountDownLatch done = new CountDownLatch(1);

        @Override
        public void run() {
            done.countDown();
        }
    }

    static final class Named {
        static final int[] STATE = {1};
    }

    static final class Accessed {
        static int[] state = {2};
    }

    /** Loads {@link Plugin} and what it uses itself. */
    static final class Loader extends ClassLoader {
        static int calls;

        Loader() {
            super(Main.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("losses.Plugin")) {
                return super.loadClass(name, resolve);
            }
            calls++;
            Class<?> known = findLoadedClass(name);
            return known != null ? known : define(name);
        }

        Class<?> define(String name) throws ClassNotFoundException {
            byte[] bytes = bytes(name);
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    static byte[] bytes(String name) throws ClassNotFoundException {
        try (InputStream in = Main.class.getResourceAsStream("/" + name.replace('.', '/') + ".class")) {
            return in.readAllBytes();
        } catch (java.io.IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    static native int twice(int value);

    static void unlinked() {
        try {
            System.out.println(twice(1));
        } catch (UnsatisfiedLinkError e) {
            System.out.println("not linked");
        }
    }

    public static void main(String[] args) throws Exception {
        TreeMap<Key, String> map = new TreeMap<>();
        map.put(new Key(2), "two");
        map.put(new Key(1), "one");
        List<Key> list = new ArrayList<>(List.of(new Key(3), new Key(4)));
        Collections.sort(list, new ByNumber());
        Task onThread = new Task();
        Thread thread = new Thread(onThread);
        thread.start();
        thread.join();
        Runtime.getRuntime().addShutdownHook(new Thread(new Task()));
        Task cleaning = new Task();
        Cleaner.create().register(new Object(), cleaning);
        while (cleaning.done.getCount() > 0) {
            System.gc();
            Thread.sleep(5);
        }
        Class.forName("losses.Main$Named");
        System.out.println(Accessed.state[0]);
        Runnable plugin = (Runnable) new Loader().define("losses.Plugin").getDeclaredConstructor().newInstance();
        int before = Loader.calls;
        plugin.run();
        System.out.println("loads " + (Loader.calls - before));
        unlinked();
        unlinked();
        int[] large = new int[100_000];
        Arrays.fill(large, 7);
        MethodHandles.Lookup hidden = MethodHandles.lookup().defineHiddenClass(bytes("losses.Hidden"), true);
        Runnable unseen = (Runnable) hidden.lookupClass().getDeclaredConstructor().newInstance();
        unseen.run();
    }
}
