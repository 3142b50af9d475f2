package jinsi.junit;

import java.lang.reflect.Method;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.opentest4j.TestAbortedException;

/**
 * Runs the test methods of a class against a recorded environment. The recording is the resource
 * {@code <simple name of the test class>.jinsi} beside the test class.
 *
 * <p>The classes on the test's class path run, rewritten as they are loaded, so that the recording answers for their environment. A test whose
 * code asks what was never recorded is aborted, with the question in the message. With {@link ReplayMode} the recorded classes run;
 * what they ask of their environment must be what was recorded, in the recorded order; otherwise the test fails with an
 * {@code AssertionError} that names both.
 *
 * <p>A test method runs in a new instance of the test class, loaded anew beside the tested classes; it has no
 * parameters, and the class needs a constructor without parameters. Life-cycle methods ({@code @BeforeEach} …) are not
 * run in that instance. Tests that use this extension run one after another. What a test asks of its recording are the static methods of {@link RecordedTest}.
 */
public final class JinsiReplay extends RecordedTest implements InvocationInterceptor {
    /** Made by JUnit, because of {@link ExtendWith}. */
    public JinsiReplay() {
    }

    @Override
    public void interceptTestMethod(Invocation<Void> invocation,
            ReflectiveInvocationContext<Method> invocationContext, ExtensionContext extensionContext) throws Throwable {
        invocation.skip();
        RecordedTest.run(invocationContext.getTargetClass(), invocationContext.getExecutable().getName(), TestAbortedException::new);
    }
}
