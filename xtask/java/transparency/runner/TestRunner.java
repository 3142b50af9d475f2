package runner;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Collections;
import java.util.Map;
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
