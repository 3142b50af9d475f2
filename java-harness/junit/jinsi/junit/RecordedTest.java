package jinsi.junit;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import jinsi.replay.ScriptReplay;

/**
 * What a written test asks of its recording, whichever JUnit runs it: {@link JinsiReplay} does for JUnit 5, and
 * {@link JinsiReplayRunner} for JUnit 4. This class needs neither.
 */
public class RecordedTest {
    private static final String ADVICE = ". Nothing is known of what the code of today does then: record it anew, or have the recorded classes"
            + " run by @ReplayMode(recorded = true)";
    private static final ReentrantLock ONE_AT_A_TIME = new ReentrantLock();
    private static volatile ScriptReplay current;

    RecordedTest() {
    }

    /**
     * Runs a method of a test class to its end.
     *
     * @param testClass the class as JUnit has loaded it
     * @param method name of the method, which has no parameters
     * @param aborted makes the exception by which JUnit knows that a test can say nothing, of the reason
     * @throws Throwable what it threw; that recorded classes asked for something else than was recorded; or what {@code aborted} made, if
     *     the classes of today did
     */
    static void run(Class<?> testClass, String method, Function<String, Throwable> aborted) throws Throwable {
        byte[] session = session(testClass);
        boolean recorded = isRecorded(testClass, method);
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        Throwable outcome;
        ONE_AT_A_TIME.lock();
        try (ScriptReplay replay = ScriptReplay.start(session, testClass.getClassLoader(), testClass.getName(), recorded)) {
            current = replay;
            thread.setContextClassLoader(replay.loader());
            Throwable thrown = run(replay, testClass, method);
            String unknown = replay.unknown(thrown);
            outcome = unknown == null ? replay.outcome(thrown) : aborted.apply("replay: " + unknown + ADVICE);
        } finally {
            thread.setContextClassLoader(before);
            current = null;
            ONE_AT_A_TIME.unlock();
        }
        if (outcome != null) {
            throw outcome;
        }
    }

    private static boolean isRecorded(Class<?> testClass, String method) throws NoSuchMethodException {
        ReplayMode mode = testClass.getDeclaredMethod(method).getAnnotation(ReplayMode.class);
        if (mode == null) {
            mode = testClass.getAnnotation(ReplayMode.class);
        }
        return mode != null && mode.recorded();
    }

    /**
     * The object with a recorded identity: a stand-in for one of the environment, or one that the test has made before
     * with {@link #construct} or {@link #call}.
     *
     * @param id the identity
     * @param <T> its type
     */
    public static <T> T object(long id) {
        return cast(running().object(id));
    }

    /**
     * Says that {@code object}, which the test has made, is the one with a recorded identity, so that the environment's
     * answers can name it.
     *
     * @param id the identity
     * @param object the object
     * @param <T> its type
     * @return {@code object}
     */
    public static <T> T made(long id, T object) {
        running().made(id, object);
        return object;
    }

    /**
     * Calls a method that Java source cannot reach. What it throws is thrown as it is.
     *
     * @param className binary name of the class that declares the method
     * @param name its name
     * @param desc its descriptor (JVMS §4.3)
     * @param receiver the receiver, {@code null} for static methods
     * @param args the arguments
     * @param <T> type of the result
     */
    public static <T> T call(String className, String name, String desc, Object receiver, Object... args) {
        return cast(running().call(className, name, desc, receiver, args));
    }

    /**
     * Makes an object by a constructor that Java source cannot reach. What it throws is thrown as it is.
     *
     * @param className binary name of the class
     * @param desc descriptor of the constructor
     * @param args the arguments
     * @param <T> type of the object
     */
    public static <T> T construct(String className, String desc, Object... args) {
        return cast(running().construct(className, desc, args));
    }

    /** What the tested code has had written up to now, to standard output, to files: one text behind the other. */
    public static String written() {
        return running().written();
    }

    /**
     * The status with which {@code code} ends the program, by {@code System.exit} or the like; 0 if it does not. The JVM goes on.
     *
     * @param code what is called; what it throws is thrown as it is
     */
    public static int exitStatus(ScriptReplay.Action code) {
        return running().exitStatus(code);
    }

    /**
     * Whether a predicate holds of an object: one that the test has, or that can be reached from one.
     *
     * @param predicate binary name of its class, a {@code java.util.function.Predicate} on the class path of the test
     */
    public static boolean holdsOfAny(String predicate) {
        return running().holdsOfAny(predicate);
    }

    private static ScriptReplay running() {
        ScriptReplay replay = current;
        if (replay == null) {
            throw new AssertionError("replay: not inside a test method of a class that is run by jinsi's extension");
        }
        return replay;
    }

    @SuppressWarnings("unchecked")
    private static <T> T cast(Object object) {
        return (T) object;
    }

    private static byte[] session(Class<?> testClass) throws IOException {
        String name = testClass.getSimpleName() + ".jinsi";
        try (InputStream in = testClass.getResourceAsStream(name)) {
            if (in == null) {
                throw new AssertionError("replay: no resource " + name + " beside " + testClass.getName());
            }
            return in.readAllBytes();
        }
    }

    /** Runs the test method in the replay loader; gives what it threw, or {@code null}. */
    private static Throwable run(ScriptReplay replay, Class<?> testClass, String method)
            throws ReflectiveOperationException {
        try {
            Class<?> replayed = Class.forName(testClass.getName(), true, replay.loader());
            Constructor<?> constructor = replayed.getDeclaredConstructor();
            constructor.setAccessible(true);
            Method test = replayed.getDeclaredMethod(method);
            test.setAccessible(true);
            test.invoke(constructor.newInstance());
            return null;
        } catch (InvocationTargetException e) {
            return e.getCause();
        } catch (Error e) {
            // A class cannot be loaded: JUnit is informed as of what the test itself throws.
            return e;
        }
    }
}
