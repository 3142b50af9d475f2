package jinsi.rerun;

import static jinsi.rerun.Reflection.call;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;

/** TestNG. All runs of a test's method are run: a data provider gives their values anew. */
final class TestNgEngine implements Engine {
    private static final String TESTNG = "org.testng.TestNG";
    private static final String SUITE = "org.testng.xml.XmlSuite";
    private static final String TEST = "org.testng.xml.XmlTest";
    private static final String CLASS = "org.testng.xml.XmlClass";
    private static final String INCLUDE = "org.testng.xml.XmlInclude";

    @Override
    public boolean run(TestName test) throws ReflectiveOperationException {
        Class<?> tests = test.load();
        if (tests == null || !Reflection.exists(TESTNG)) {
            return false;
        }
        Object suite = Reflection.make(SUITE);
        Object ofSuite = Reflection.make(TEST, suite);
        Object ofTest = Reflection.make(CLASS, test.className);
        if (!test.isWholeClass() && isTest(tests, test.method())) {
            call(CLASS, "setIncludedMethods", ofTest, List.of(Reflection.make(INCLUDE, test.method())));
        }
        call(TEST, "setXmlClasses", ofSuite, List.of(ofTest));
        Object testNg = Reflection.make(TESTNG, false);
        call(TESTNG, "setVerbose", testNg, 0);
        call(TESTNG, "setXmlSuites", testNg, List.of(suite));
        call(TESTNG, "run", testNg);
        return true;
    }

    /** Is there a public method of this name, and no set-up that is named as the failed test is? */
    private static boolean isTest(Class<?> tests, String name) {
        for (Method method : tests.getMethods()) {
            if (method.getName().equals(name)) {
                return Arrays.stream(method.getAnnotations())
                        .noneMatch(a -> a.annotationType().getSimpleName().matches("(Before|After).+"));
            }
        }
        return false;
    }
}
