package jinsi.rerun;

import static jinsi.rerun.Reflection.call;

/** JUnit 3 by itself. */
final class JUnit3Engine implements Engine {
    private static final String CASE = "junit.framework.TestCase";
    private static final String SUITE = "junit.framework.TestSuite";
    private static final String TEST = "junit.framework.Test";
    private static final String RESULT = "junit.framework.TestResult";

    @Override
    public boolean run(TestName test) throws ReflectiveOperationException {
        Class<?> tests = test.load();
        if (tests == null || !Reflection.exists(CASE) || !Reflection.load(CASE).isAssignableFrom(tests)) {
            return false;
        }
        Object suite = Reflection.make(SUITE, tests);
        int count = (Integer) call(SUITE, "testCount", suite);
        boolean ran = false;
        for (int i = 0; i < count; i++) {
            Object one = call(SUITE, "testAt", suite, i);
            if (Reflection.load(CASE).isInstance(one) && test.name.equals(call(CASE, "getName", one))) {
                call(TEST, "run", one, Reflection.make(RESULT));
                ran = true;
            }
        }
        return ran;
    }
}
