package suite;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.concurrent.CompletableFuture;
import org.junit.platform.engine.EngineDiscoveryRequest;
import org.junit.platform.engine.EngineExecutionListener;
import org.junit.platform.engine.ExecutionRequest;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestEngine;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.AbstractTestDescriptor;
import org.junit.platform.engine.support.descriptor.EngineDescriptor;
import org.junit.platform.engine.support.descriptor.MethodSource;

/** Runs the public methods of a class as tests. As Kotest does, it runs each on a thread of its own, and reports on its own thread how the test ended. */
final class RelayEngine implements TestEngine {
    private final Class<?> tests;

    RelayEngine(Class<?> tests) {
        this.tests = tests;
    }

    @Override
    public String getId() {
        return "relay";
    }

    @Override
    public TestDescriptor discover(EngineDiscoveryRequest request, UniqueId id) {
        EngineDescriptor root = new EngineDescriptor(id, "Relay");
        for (Method method : tests.getDeclaredMethods()) {
            root.addChild(new Test(id.append("method", method.getName()), method));
        }
        return root;
    }

    @Override
    public void execute(ExecutionRequest request) {
        EngineExecutionListener listener = request.getEngineExecutionListener();
        TestDescriptor root = request.getRootTestDescriptor();
        listener.executionStarted(root);
        for (TestDescriptor test : root.getChildren()) {
            CompletableFuture<TestExecutionResult> result = new CompletableFuture<>();
            Thread runner = new Thread(() -> {
                listener.executionStarted(test);
                result.complete(((Test) test).run());
            });
            runner.start();
            listener.executionFinished(test, result.join());
        }
        listener.executionFinished(root, TestExecutionResult.successful());
    }

    /** One method. */
    private static final class Test extends AbstractTestDescriptor {
        private final Method method;

        Test(UniqueId id, Method method) {
            super(id, method.getName(), MethodSource.from(method));
            this.method = method;
        }

        @Override
        public Type getType() {
            return Type.TEST;
        }

        TestExecutionResult run() {
            try {
                method.invoke(method.getDeclaringClass().getDeclaredConstructor().newInstance());
                return TestExecutionResult.successful();
            } catch (InvocationTargetException e) {
                return TestExecutionResult.failed(e.getCause());
            } catch (ReflectiveOperationException e) {
                return TestExecutionResult.failed(e);
            }
        }
    }
}
