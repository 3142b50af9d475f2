package runner;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.ClassNameFilter;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs the test classes of a jar whose names match, and writes what became of each test into a file, one line a test:
 * outcome, tab, milliseconds, tab, unique id. What the tests print is not looked at, and does not get in the way.
 *
 * <p>Arguments: the jar, a regular expression of class names, one of class names that are left out, the file.
 */
public final class TestRunner {
    private TestRunner() {
    }

    /** Runs the tests; exit status 0 whatever becomes of them. */
    public static void main(String[] args) throws IOException {
        seed(Long.getLong("runner.seed"));
        Path jar = Paths.get(args[0]);
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
            .selectors(DiscoverySelectors.selectClasspathRoots(Collections.singleton(jar)))
            .filters(ClassNameFilter.includeClassNamePatterns(args[1]),
                ClassNameFilter.excludeClassNamePatterns(args[2]))
            .build();
        try (PrintWriter lines = new PrintWriter(Files.newBufferedWriter(Paths.get(args[3])))) {
            LauncherFactory.create().execute(request, new Lines(lines));
        }
        // Tests may leave threads behind that would keep the JVM.
        System.exit(0);
    }

    /**
     * Has the generators of random numbers that the JDK keeps for all begin with {@code seed}, so that two runs do the same. Needs
     * {@code java.lang} and {@code java.util} to be open. With {@code null}, they begin as they like.
     */
    private static void seed(Long seed) {
        if (seed == null) {
            return;
        }
        try {
            // Both are there after the first use.
            Math.random();
            Collections.shuffle(Arrays.asList(1, 2));
            generator("java.lang.Math$RandomNumberGeneratorHolder", "randomNumberGenerator").setSeed(seed);
            generator("java.util.Collections", "r").setSeed(seed);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Random generator(String holder, String name) throws ReflectiveOperationException {
        Field field = Class.forName(holder).getDeclaredField(name);
        field.setAccessible(true);
        return (Random) field.get(null);
    }

    /** Writes a line for each test that ends, and for each container that does not end well. */
    private static final class Lines implements TestExecutionListener {
        private final PrintWriter lines;
        private final Map<String, Long> started = new ConcurrentHashMap<>();

        Lines(PrintWriter lines) {
            this.lines = lines;
        }

        @Override
        public void executionStarted(TestIdentifier test) {
            started.put(test.getUniqueId(), System.nanoTime());
        }

        @Override
        public void executionSkipped(TestIdentifier test, String reason) {
            line("SKIPPED", test);
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            boolean passed = result.getStatus() == TestExecutionResult.Status.SUCCESSFUL;
            if (test.isTest() || !passed) {
                String why = result.getThrowable().map(thrown -> " " + thrown.getClass().getName()).orElse("");
                line(result.getStatus() + why, test);
            }
        }

        private synchronized void line(String outcome, TestIdentifier test) {
            Long start = started.get(test.getUniqueId());
            long millis = start == null ? 0 : (System.nanoTime() - start) / 1_000_000;
            lines.println(outcome + "\t" + millis + "\t" + test.getUniqueId().replaceAll("\\s", " "));
            lines.flush();
        }
    }
}
