package jinsi.replay;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Which exceptions are the recorded failure. */
final class PredicateTest {
    /** An exception of a program. */
    static final class NoCow extends RuntimeException {
        NoCow(String message) {
            super(message);
        }
    }

    private static Predicate of(Class<?> exception, String message) {
        List<String> notThePrograms = List.of("java.", "jdk.", "org.junit.");
        return new Predicate(exception.getName(), message, 0, "farm.Herd", "count", 7, false, notThePrograms);
    }

    private static <T extends Throwable> T at(T exception, String... classes) {
        StackTraceElement[] frames = new StackTraceElement[classes.length];
        for (int i = 0; i < classes.length; i++) {
            frames[i] = new StackTraceElement(classes[i], "count", "Herd.java", 7);
        }
        exception.setStackTrace(frames);
        return exception;
    }

    @Test
    void anExceptionIsKnownByWhereItWasThrown() {
        Predicate failure = of(NoCow.class, "none");
        assertTrue(failure.matches(at(new NoCow("none"), "java.util.Objects", "farm.Herd")));
        assertFalse(failure.matches(at(new NoCow("none"), "farm.Stable", "farm.Herd")));
        assertFalse(failure.matches(at(new NoCow("two"), "farm.Herd")));
    }

    @Test
    void whatAProgramTookItsFramesOutOfIsKnownByItsMessage() {
        String[] left = {"jinsi.replay.Worker", "java.lang.Thread"};
        assertTrue(of(NoCow.class, "none").matches(at(new NoCow("none"), left)));
        assertFalse(of(NoCow.class, null).matches(at(new NoCow(null), left)));
        IllegalStateException ofJdk = at(new IllegalStateException("none"), left);
        assertFalse(of(IllegalStateException.class, "none").matches(ofJdk));
    }
}
