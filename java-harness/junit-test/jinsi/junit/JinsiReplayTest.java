package jinsi.junit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.Map;
import java.util.TreeMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs {@code sample.PanelReplay} under JUnit 5, and {@code sample.PanelReplay4} under JUnit 4, and compares how their methods end. Exit status 1 if one ends otherwise.
 */
public final class JinsiReplayTest {
    private static final String NPE_AT_SHOW = "java.lang.NullPointerException at sample.Panel.show";

    private JinsiReplayTest() {
    }

    /**
     * Runs everything.
     *
     * @param args none
     */
    public static void main(String[] args) throws ClassNotFoundException {
        Map<String, String> expected = new TreeMap<>();
        expected.put("passes()", "passed");
        expected.put("reachesWhatSourceCannot()", "passed");
        expected.put("failsAsRecorded()", "java.lang.IllegalStateException at sample.Panel.told");
        expected.put("failsInsideBridge()", NPE_AT_SHOW);
        expected.put("asksTooMuch()", "java.lang.AssertionError");
        expected.put("needsWhatWasNotMade()", "passed");
        expected.put("passesUnder4", "passed");
        expected.put("failsAsRecordedUnder4", "java.lang.IllegalStateException at sample.Panel.told");
        expected.put("isExpectedUnder4", "passed");
        expected.put("isIgnoredUnder4", "not run");
        Map<String, String> actual = run(Class.forName("sample.PanelReplay"));
        actual.putAll(run(Class.forName("sample.PanelReplay4")));
        int failed = 0;
        for (Map.Entry<String, String> entry : expected.entrySet()) {
            String end = actual.getOrDefault(entry.getKey(), "not run");
            if (!end.startsWith(entry.getValue())) {
                failed++;
                System.out.println("FAILED " + entry.getKey() + ": expected " + entry.getValue() + ", got " + end);
            }
        }
        System.out.println(expected.size() - failed + " passed, " + failed + " failed");
        System.exit(failed == 0 ? 0 : 1);
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
