package jinsi.listener;

import org.testng.IConfigurationListener;
import org.testng.ITestListener;
import org.testng.ITestResult;

/** Tells the recording of the tests that TestNG runs, and of set-ups that fail. TestNG finds it by {@code ServiceLoader}. */
public final class TestNgListener implements ITestListener, IConfigurationListener {
    private final Recording recording = new Recording();

    @Override
    public void onTestStart(ITestResult test) {
        recording.begin(test, className(test), name(test));
    }

    @Override
    public void onTestSuccess(ITestResult test) {
        recording.end(test);
    }

    @Override
    public void onTestSkipped(ITestResult test) {
        recording.end(test);
    }

    @Override
    public void onTestFailedButWithinSuccessPercentage(ITestResult test) {
        recording.end(test);
    }

    @Override
    public void onTestFailure(ITestResult test) {
        recording.failed(test, className(test), name(test), test.getThrowable());
    }

    @Override
    public void onConfigurationFailure(ITestResult setUp) {
        recording.failed(setUp, className(setUp), name(setUp), setUp.getThrowable());
    }

    private static String className(ITestResult test) {
        return test.getTestClass().getName();
    }

    private static String name(ITestResult test) {
        return test.getMethod().getMethodName();
    }
}
