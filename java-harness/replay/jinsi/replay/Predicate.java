package jinsi.replay;

import java.util.Objects;

/**
 * The recorded failure: type, stored message and throwing location of an exception. The rest of the stack trace is not
 * compared, because replay replaces the classes on it.
 */
final class Predicate {
    /** Binary name of the exception's class. */
    final String className;
    /** Stored message, or {@code null}. */
    final String message;
    /** Binary name of the class whose method threw; empty if it may be thrown anywhere. */
    final String atClass;
    /** That method. */
    final String atMethod;
    /** Its line; not compared if not positive. */
    final int atLine;

    Predicate(String className, String message, String atClass, String atMethod, int atLine) {
        this.className = className;
        this.message = message;
        this.atClass = atClass;
        this.atMethod = atMethod;
        this.atLine = atLine;
    }

    /** Whether it is the exception of a failed assertion, by the name of its class. */
    boolean isAssertion() {
        return className.endsWith("AssertionError") || className.endsWith("AssertionFailedError")
                || className.endsWith("ComparisonFailure");
    }

    /** Whether {@code exception} is the recorded failure. */
    boolean matches(Throwable exception) {
        if (!exception.getClass().getName().equals(className)
                || !Objects.equals(message, Throwables.storedMessage(exception))) {
            return false;
        }
        if (atClass.isEmpty()) {
            return true;
        }
        StackTraceElement top = Throwables.topFrame(exception);
        return top != null && top.getClassName().equals(atClass) && top.getMethodName().equals(atMethod)
                && (atLine <= 0 || top.getLineNumber() == atLine);
    }

    @Override
    public String toString() {
        String line = atLine > 0 ? ":" + atLine : "";
        return Throwables.describe(className, message, atClass.isEmpty() ? "any place" : atClass + "." + atMethod + line);
    }
}
