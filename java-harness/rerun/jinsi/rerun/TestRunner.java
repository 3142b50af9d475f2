package jinsi.rerun;

import java.lang.reflect.InvocationTargetException;

/**
 * Runs one test by whatever test engine is on the class path. {@code jinsi minimize --second-try} starts it in a JVM of its own, with the
 * agent and the surroundings of the JVM in which the test failed. Whether the test fails again, and how, is in the agent's trace.
 */
public final class TestRunner {
    /** The exit status if an engine ran the test, whatever came of it. */
    private static final int RAN = 0;
    /** The exit status if no engine knows the test. */
    private static final int UNKNOWN = 3;
    /** The exit status if an engine broke down. */
    private static final int BROKEN = 4;

    private TestRunner() {}

    /**
     * Runs a test, and ends the JVM.
     *
     * @param arguments the binary name of the test's class; its name within the class, see {@link TestName}; system properties to be set
     *     before, each as {@code name=value}
     */
    public static void main(String[] arguments) {
        TestName test = new TestName(arguments[0], arguments[1]);
        for (int i = 2; i < arguments.length; i++) {
            int end = arguments[i].indexOf('=');
            System.setProperty(arguments[i].substring(0, end), arguments[i].substring(end + 1));
        }
        int status = run(test);
        // Threads that the test has left behind are no reason to stay.
        System.exit(status);
    }

    /** Asks one engine after the other. The order is that of builds: the JUnit Platform also runs tests of JUnit 4, and JUnit 4 those of JUnit 3. */
    private static int run(TestName test) {
        Engine[] engines = {new PlatformEngine(), new JUnit4Engine(), new JUnit3Engine(), new TestNgEngine()};
        int status = UNKNOWN;
        for (Engine engine : engines) {
            try {
                if (engine.run(test)) {
                    return RAN;
                }
            } catch (InvocationTargetException e) {
                System.err.println("jinsi: " + engine.getClass().getSimpleName() + ": " + e.getCause());
                status = BROKEN;
            } catch (ReflectiveOperationException | LinkageError e) {
                System.err.println("jinsi: " + engine.getClass().getSimpleName() + ": " + e);
                status = BROKEN;
            }
        }
        return status;
    }
}
