package jinsi.listener;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Tells the recording of the tests that the JUnit Platform runs: JUnit 5 and later, and what other engines bring. The launcher finds
 * it by {@code ServiceLoader}.
 */
public final class PlatformListener implements TestExecutionListener {
    /** In place of a method, for what fails as a whole: a set-up or tear-down of the class. */
    private static final String WHOLE_CLASS = "(class)";

    private final Recording recording = new Recording();

    @Override
    public void executionStarted(TestIdentifier test) {
        if (test.isTest()) {
            recording.begin(test.getUniqueId(), className(test), name(test));
        }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        Throwable thrown = result.getThrowable().orElse(null);
        if (result.getStatus() == TestExecutionResult.Status.FAILED && thrown != null) {
            recording.failed(test.getUniqueId(), className(test), name(test), thrown);
        } else {
            recording.end(test.getUniqueId());
        }
    }

    private static String className(TestIdentifier test) {
        TestSource source = test.getSource().orElse(null);
        if (source instanceof MethodSource) {
            return ((MethodSource) source).getClassName();
        }
        return source instanceof ClassSource ? ((ClassSource) source).getClassName() : "(unknown)";
    }

    /** The method, with a number behind it if it is one of several runs of the method. */
    private static String name(TestIdentifier test) {
        TestSource source = test.getSource().orElse(null);
        if (!(source instanceof MethodSource)) {
            return source instanceof ClassSource && test.isContainer() ? WHOLE_CLASS : test.getDisplayName();
        }
        // "adds(int)[2]" of the second run; it stands for the display name, which may be any text.
        String reported = test.getLegacyReportingName();
        int number = reported.endsWith("]") ? reported.lastIndexOf('[') : -1;
        return ((MethodSource) source).getMethodName() + (number < 0 ? "" : reported.substring(number));
    }
}
