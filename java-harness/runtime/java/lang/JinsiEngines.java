package java.lang;

import static java.lang.JinsiNumbers.JUNIT_3_ENDED;
import static java.lang.JinsiNumbers.JUNIT_3_FAILED;
import static java.lang.JinsiNumbers.JUNIT_3_STARTED;
import static java.lang.JinsiNumbers.JUNIT_4_ENDED;
import static java.lang.JinsiNumbers.JUNIT_4_FAILED;
import static java.lang.JinsiNumbers.JUNIT_4_STARTED;
import static java.lang.JinsiNumbers.PLATFORM_FINISHED;
import static java.lang.JinsiNumbers.PLATFORM_STARTED;
import static java.lang.JinsiNumbers.TESTNG_CONFIGURED;
import static java.lang.JinsiNumbers.TESTNG_REPORTED;

import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Objects;
import java.util.Optional;
import jdk.internal.misc.Unsafe;

/**
 * What test engines report: which test begins, ends or fails. Called where they report, by probes that the agent puts there; so tests need
 * nothing of jinsi's on their class path.
 *
 * <p>Engines stand on one another: the JUnit Platform runs JUnit 4, which runs JUnit 3, and each of them reports the same test. The first
 * that says that a test begins on a thread is believed; what others say while it runs is about the same test, or about tests that this test
 * runs itself. What fails without having begun is reported once for each throwable, by whomever.
 *
 * <p>The objects of engines are read by reflection, for none of their classes is known here. No method throws into the engine.
 */
public final class JinsiEngines {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** In place of a method, for what fails as a whole: a set-up or tear-down of the class. */
    private static final String WHOLE_CLASS = "(class)";
    private static final String UNKNOWN_CLASS = "(unknown)";
    /** In place of the number of a mark, of a test that another engine has reported, or that runs within another. */
    private static final int NO_MARK = -1;
    /** TestNG's numbers of what becomes of a test. */
    private static final int TESTNG_FAILED = 2;
    private static final int TESTNG_STARTED = 16;
    /** Throwables of which it is remembered that they were reported: as many as engines stand on one another, and some. */
    private static final int REMEMBERED = 16;

    /** Tests that were said to begin and not yet to end. A lock on it guards all fields of this class. */
    private static final ArrayList<Running> RUNNING = new ArrayList<>();
    /** The throwables that were last reported, the latest last. They are the program's, and must not live longer because of us. */
    private static final ArrayList<WeakReference<Object>> REPORTED = new ArrayList<>();

    private JinsiEngines() {}

    /** A test that is running. */
    private static final class Running {
        final Object key;
        final Thread thread;
        final Name name;
        /** The number of its mark; negative if it has none. */
        final int mark;
        boolean failed;

        Running(Object key, Name name, int mark) {
            this.key = key;
            this.thread = Thread.currentThread();
            this.name = name;
            this.mark = mark;
        }
    }

    /** Class and method of a test. */
    private static final class Name {
        final String testClass;
        final String method;

        Name(String testClass, String method) {
            this.testClass = testClass == null ? UNKNOWN_CLASS : testClass;
            this.method = method == null ? WHOLE_CLASS : method;
        }

        boolean is(Name other) {
            return testClass.equals(other.testClass) && method.equals(other.method);
        }
    }

    /**
     * An engine reports.
     *
     * @param what one of {@link JinsiNumbers}
     * @param test the engine's object for the test; of a failure of JUnit 4 that, and of TestNG the result
     * @param result what came of it, if that is reported: a throwable, or a result of the JUnit Platform
     */
    public static void report(int what, Object test, Object result) {
        try {
            synchronized (RUNNING) {
                reported(what, test, result);
            }
        } catch (Throwable e) {
            JinsiStop.passOn(e);
            // The test is not marked; that is no reason to disturb it.
        }
    }

    private static void reported(int what, Object test, Object result) {
        switch (what) {
            case JUNIT_3_STARTED:
                started(test, junit3(test));
                break;
            case JUNIT_3_ENDED:
                ended(test);
                break;
            case JUNIT_3_FAILED:
                failed(test, junit3(test), result);
                break;
            case JUNIT_4_STARTED:
                started(junit4Key(test), junit4(test));
                break;
            case JUNIT_4_ENDED:
                ended(junit4Key(test));
                break;
            case JUNIT_4_FAILED:
                Object description = call(test, test.getClass(), "getDescription");
                failed(junit4Key(description), junit4(description), call(test, test.getClass(), "getException"));
                break;
            case PLATFORM_STARTED:
                if (Boolean.TRUE.equals(ofDescriptor(test, "isTest"))) {
                    started(test, platform(test));
                }
                break;
            case PLATFORM_FINISHED:
                platformFinished(test, result);
                break;
            case TESTNG_REPORTED:
                testNgReported(test);
                break;
            case TESTNG_CONFIGURED:
                testNgFailed(test, (int) ofResult(test, "getStatus"));
                break;
            default:
        }
    }

    // JUnit 3

    private static Name junit3(Object test) {
        for (Class<?> type = test.getClass(); type != null; type = type.getSuperclass()) {
            switch (type.getName()) {
                case "junit.framework.TestCase":
                    // Not by getName(), which may be the program's.
                    return new Name(test.getClass().getName(), (String) U.getReference(test, U.objectFieldOffset(type, "fName")));
                case "junit.framework.JUnit4TestCaseFacade":
                    return junit4(call(test, type, "getDescription"));
                default:
            }
        }
        return new Name(test.getClass().getName(), null);
    }

    // JUnit 4

    /** A runner may make a description anew for each report. */
    private static Object junit4Key(Object test) {
        return "JUnit 4 ".concat((String) call(test, test.getClass(), "getDisplayName"));
    }

    private static Name junit4(Object test) {
        // "adds[2](com.foo.BarTest)", or the class alone. JUnit 4.5 and earlier have no methods that take it apart.
        String shown = (String) call(test, test.getClass(), "getDisplayName");
        int open = shown == null || !shown.endsWith(")") ? -1 : shown.lastIndexOf('(');
        return open < 0 ? new Name(shown, null) : new Name(shown.substring(open + 1, shown.length() - 1), shown.substring(0, open));
    }

    // The JUnit Platform

    private static void platformFinished(Object test, Object result) {
        Object thrown = optional(call(result, result.getClass(), "getThrowable"));
        boolean hasFailed = "FAILED".equals(String.valueOf(call(result, result.getClass(), "getStatus")));
        if (hasFailed && thrown != null) {
            failed(test, platform(test), thrown);
        }
        ended(test);
    }

    private static Name platform(Object test) {
        Object source = optional(ofDescriptor(test, "getSource"));
        String kind = source == null ? "" : source.getClass().getSimpleName();
        String testClass = kind.equals("MethodSource") || kind.equals("ClassSource")
                ? (String) call(source, source.getClass(), "getClassName")
                : null;
        if (!kind.equals("MethodSource")) {
            boolean isClass = testClass != null && Boolean.TRUE.equals(ofDescriptor(test, "isContainer"));
            return new Name(testClass, isClass ? null : (String) ofDescriptor(test, "getDisplayName"));
        }
        // "adds(int)[2]" of the second run; it stands for the display name, which may be any text.
        String legacy = (String) ofDescriptor(test, "getLegacyReportingName");
        int number = legacy != null && legacy.endsWith("]") ? legacy.lastIndexOf('[') : -1;
        String method = (String) call(source, source.getClass(), "getMethodName");
        return new Name(testClass, number < 0 ? method : method.concat(legacy.substring(number)));
    }

    private static Object ofDescriptor(Object test, String method) {
        return call(test, named(test.getClass(), "org.junit.platform.engine.TestDescriptor"), method);
    }

    private static Object optional(Object value) {
        return value instanceof Optional ? ((Optional<?>) value).orElse(null) : null;
    }

    // TestNG

    private static void testNgReported(Object result) {
        int status = (int) ofResult(result, "getStatus");
        if (status == TESTNG_STARTED) {
            started(result, testNg(result));
        } else {
            testNgFailed(result, status);
            ended(result);
        }
    }

    private static void testNgFailed(Object result, int status) {
        Object thrown = status == TESTNG_FAILED ? ofResult(result, "getThrowable") : null;
        if (thrown != null) {
            failed(result, testNg(result), thrown);
        }
    }

    private static Name testNg(Object result) {
        Object testClass = ofResult(result, "getTestClass");
        Object method = ofResult(result, "getMethod");
        return new Name(
                (String) call(testClass, named(testClass.getClass(), "org.testng.IClass"), "getName"),
                (String) call(method, named(method.getClass(), "org.testng.ITestNGMethod"), "getMethodName"));
    }

    private static Object ofResult(Object result, String method) {
        return call(result, named(result.getClass(), "org.testng.ITestResult"), method);
    }

    // What is made of it

    private static void started(Object key, Name name) {
        if (running(key) == null) {
            boolean isFirst = ofThread() == null;
            RUNNING.add(new Running(key, name, isFirst ? JinsiMark.begin(name.testClass, name.method) : NO_MARK));
        }
    }

    private static void ended(Object key) {
        Running test = running(key);
        if (test != null) {
            RUNNING.remove(test);
            if (test.mark >= 0 && !test.failed) {
                JinsiMark.end(test.mark);
            }
        }
    }

    /** {@code name}: of what fails, which need not have been said to begin; a set-up of a class, for example, is not. */
    private static void failed(Object key, Name name, Object thrown) {
        boolean isNew = isNew((Throwable) thrown);
        Running test = running(key);
        Running around = ofThread();
        if (test == null) {
            if (around == null && isNew) {
                JinsiMark.failed(JinsiMark.begin(name.testClass, name.method), (Throwable) thrown);
            }
            return;
        }
        // Several tests may fail by one throwable: each test that has a mark is believed.
        if (test.mark < 0 && around != null && around.name.is(test.name)) {
            test = around;
        }
        if (test.mark >= 0 && !test.failed) {
            test.failed = true;
            JinsiMark.failed(test.mark, (Throwable) thrown);
        }
    }

    private static Running running(Object key) {
        for (Running test : RUNNING) {
            if (test.key == key || key instanceof String && key.equals(test.key)) {
                return test;
            }
        }
        return null;
    }

    /** The test of the current thread that has a mark. */
    private static Running ofThread() {
        for (Running test : RUNNING) {
            if (test.mark >= 0 && test.thread == Thread.currentThread()) {
                return test;
            }
        }
        return null;
    }

    private static boolean isNew(Throwable thrown) {
        for (WeakReference<Object> known : REPORTED) {
            if (known.get() == thrown) {
                return false;
            }
        }
        if (REPORTED.size() == REMEMBERED) {
            REPORTED.remove(0);
        }
        REPORTED.add(new WeakReference<>(thrown));
        return true;
    }

    /** The supertype of this name; its methods are public where those of an engine's own classes need not be. */
    private static Class<?> named(Class<?> type, String name) {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            for (Class<?> each : c.getInterfaces()) {
                Class<?> found = each.getName().equals(name) ? each : named(each, name);
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    /** What a method without parameters gives; {@code null} if there is none, or it throws. */
    private static Object call(Object on, Class<?> type, String name) {
        try {
            Method method = Objects.requireNonNull(type).getMethod(name);
            return method.invoke(on);
        } catch (ReflectiveOperationException | RuntimeException e) {
            return null;
        }
    }
}
