package redefined;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Three threads load the same classes by new loaders while another agent redefines them, and then the JVM ends. */
public final class Main {
    private Main() {
    }

    /** How often each thread loads them is the argument. */
    public static void main(String[] args) throws Exception {
        int times = Integer.parseInt(args[0]);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Thread thread = new Thread(() -> load(times));
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("redefined: " + (Agent.DONE.get() > 0));
    }

    private static void load(int times) {
        new Load().run();
        try {
            for (int i = 0; i < times; i++) {
                URL[] classes = {Path.of(System.getProperty("java.class.path")).toUri().toURL()};
                URLClassLoader loader = new URLClassLoader(classes, null);
                ((Runnable) loader.loadClass("redefined.Load").getDeclaredConstructor().newInstance()).run();
            }
        } catch (Exception | LinkageError e) {
            System.out.println("load: " + e);
        }
    }
}
