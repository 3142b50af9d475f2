package jinsi.listener;

import org.junit.runner.Description;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/**
 * Tells the recording of the tests that JUnit 4 runs by itself, without the JUnit Platform. JUnit 4 looks for no listeners: it has to be
 * named, as Surefire's property {@code listener}.
 */
public final class JUnit4Listener extends RunListener {
    /** In place of a method, for what fails as a whole: a set-up or tear-down of the class. */
    private static final String WHOLE_CLASS = "(class)";

    private final Recording recording = new Recording();

    @Override
    public void testStarted(Description test) {
        recording.begin(test, test.getClassName(), name(test));
    }

    @Override
    public void testFailure(Failure failure) {
        Description test = failure.getDescription();
        recording.failed(test, test.getClassName(), name(test), failure.getException());
    }

    @Override
    public void testFinished(Description test) {
        recording.end(test);
    }

    private static String name(Description test) {
        return test.getMethodName() == null ? WHOLE_CLASS : test.getMethodName();
    }
}
