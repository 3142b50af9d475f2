package jinsi.rerun;

import static jinsi.rerun.Reflection.call;

import java.util.List;

/** JUnit 4 by itself, which also runs classes of JUnit 3. */
final class JUnit4Engine implements Engine {
    private static final String CORE = "org.junit.runner.JUnitCore";
    private static final String REQUEST = "org.junit.runner.Request";
    private static final String RUNNER = "org.junit.runner.Runner";
    private static final String DESCRIPTION = "org.junit.runner.Description";
    /** The runner of a class that has no tests, or wrong ones. */
    private static final String ERRORS = "org.junit.internal.runners.ErrorReportingRunner";

    @Override
    public boolean run(TestName test) throws ReflectiveOperationException {
        Class<?> tests = test.load();
        if (tests == null || !Reflection.exists(CORE)) {
            return false;
        }
        Object request = call(REQUEST, "aClass", null, tests);
        Object runner = call(REQUEST, "getRunner", request);
        if (!test.isWholeClass()) {
            Object found = find(test, call(RUNNER, "getDescription", runner));
            if (found == null) {
                return false;
            }
            request = call(REQUEST, "filterWith", request, found);
        } else if (Reflection.load(ERRORS).isInstance(runner)) {
            return false;
        }
        call(CORE, "run", Reflection.make(CORE), request);
        return true;
    }

    /** The test's own description, here or below; {@code null} if there is none. */
    private static Object find(TestName test, Object description) throws ReflectiveOperationException {
        if ((Boolean) call(DESCRIPTION, "isTest", description)) {
            // JUnit 4.5 and earlier have no methods that take this name apart.
            String shown = test.name + "(" + test.className + ")";
            return shown.equals(call(DESCRIPTION, "getDisplayName", description)) ? description : null;
        }
        for (Object child : (List<?>) call(DESCRIPTION, "getChildren", description)) {
            Object found = find(test, child);
            if (found != null) {
                return found;
            }
        }
        return null;
    }
}
