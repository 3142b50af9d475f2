package jinsi.junit;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs {@code sample.PanelReplay} under JUnit 5, and {@code sample.PanelReplay4} under JUnit 4, and compares how their methods end.
 */
final class JinsiReplayTest {
    private static final String NPE_AT_SHOW = "java.lang.NullPointerException at sample.Panel.show";
    /** Methods by class, and how each ends. */
    private static final Map<String, Map<String, String>> EXPECTED = Map.of(
            "sample.PanelReplay", Map.of(
                    "passes()", "passed",
                    "reachesWhatSourceCannot()", "passed",
                    "failsAsRecorded()", "java.lang.IllegalStateException at sample.Panel.alerted",
                    "failsInsideBridge()", NPE_AT_SHOW,
                    "asksTooMuch()", "java.lang.AssertionError",
                    "needsWhatWasNotMade()", "passed"),
            "sample.PanelReplay4", Map.of(
                    "passesUnder4", "passed",
                    "failsAsRecordedUnder4", "java.lang.IllegalStateException at sample.Panel.alerted",
                    "isExpectedUnder4", "passed",
                    "isIgnoredUnder4", "not run"));

    @TestFactory
    List<DynamicTest> methodsEndAsExpected() throws ClassNotFoundException {
        List<DynamicTest> tests = new ArrayList<>();
        for (String testClass : EXPECTED.keySet()) {
            Map<String, String> actual = run(Class.forName(testClass));
            EXPECTED.get(testClass).forEach((method, expected) -> tests.add(DynamicTest.dynamicTest(method, () -> {
                String end = actual.getOrDefault(method, "not run");
                assertTrue(end.startsWith(expected), () -> "expected " + expected + ", got " + end);
            })));
        }
        return tests;
    }

    private static Map<String, String> run(Class<?> testClass) {
        Map<String, String> ends = new TreeMap<>();
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request().selectors(selectClass(testClass))
                .build();
        LauncherFactory.create().execute(request, new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                ends.put(test.getDisplayName(), result.getThrowable().map(JinsiReplayTest::describe).orElse("passed"));
            }
        });
        return ends;
    }

    private static String describe(Throwable exception) {
        StackTraceElement top = exception.getStackTrace()[0];
        return exception.getClass().getName() + " at " + top.getClassName() + "." + top.getMethodName() + ": "
                + exception.getMessage();
    }
}
