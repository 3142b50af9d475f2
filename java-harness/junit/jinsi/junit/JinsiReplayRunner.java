package jinsi.junit;

import org.junit.AssumptionViolatedException;
import org.junit.runner.RunWith;
import org.junit.runners.BlockJUnit4ClassRunner;
import org.junit.runners.model.FrameworkMethod;
import org.junit.runners.model.InitializationError;
import org.junit.runners.model.Statement;

/**
 * {@link JinsiReplay} for JUnit 4: runs the test methods of a class with {@code @RunWith(JinsiReplayRunner.class)} against
 * a recorded environment. The recording is the resource {@code <simple name of the test class>.jinsi} beside the test class.
 *
 * <p>The classes on the test's class path run, unless {@link ReplayMode} says otherwise; where these ask what was never recorded, an
 * assumption is violated. A test method runs in a new instance of the test class, loaded anew beside the tested classes. Rules and methods
 * with {@code @Before} or {@code @After} are not run; {@code @Test(expected = …)} and {@code @Ignore} mean what they always do.
 * What a test asks of its recording are the static methods of {@link RecordedTest}.
 */
public final class JinsiReplayRunner extends BlockJUnit4ClassRunner {
    /**
     * Made by JUnit, because of {@link RunWith}.
     *
     * @param testClass the test class
     * @throws InitializationError the class is no test class
     */
    public JinsiReplayRunner(Class<?> testClass) throws InitializationError {
        super(testClass);
    }

    @Override
    protected Statement methodBlock(FrameworkMethod method) {
        Class<?> testClass = getTestClass().getJavaClass();
        Statement run = new Statement() {
            @Override
            public void evaluate() throws Throwable {
                RecordedTest.run(testClass, method.getName(), AssumptionViolatedException::new);
            }
        };
        return possiblyExpectingExceptions(method, null, run);
    }
}
