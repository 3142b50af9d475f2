package java.lang;

/**
 * Takes the place of the JDK's class while programs are recorded that end the JVM: they are refused, as by a security manager, and
 * go on. Where they are replayed, nothing refuses.
 */
class Shutdown {
    private static final int MAX = 10;
    private static final Runnable[] HOOKS = new Runnable[MAX];

    private Shutdown() {}

    static void add(int slot, boolean registerShutdownInProgress, Runnable hook) {
        synchronized (HOOKS) {
            HOOKS[slot] = hook;
        }
    }

    static void logRuntimeExit(int status) {}

    static void beforeHalt() {}

    static void exit(int status) {
        throw new SecurityException("exit is refused");
    }

    static void halt(int status) {
        throw new SecurityException("halt is refused");
    }

    /** Called by the JVM when the last thread has ended. */
    static void shutdown() {
        for (int i = 0; i < MAX; i++) {
            Runnable hook;
            synchronized (HOOKS) {
                hook = HOOKS[i];
            }
            if (hook != null) {
                hook.run();
            }
        }
    }
}
