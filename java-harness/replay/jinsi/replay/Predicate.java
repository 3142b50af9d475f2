package jinsi.replay;

import java.util.List;
import java.util.Objects;

/**
 * The recorded failure: type, stored message and throwing location of an exception. The rest of the stack trace is not
 * compared, because replay replaces the classes on it.
 */
final class Predicate {
    /** Causes of an exception that are looked at, one behind the other: programs can make a ring of them. */
    private static final int CAUSES = 32;
    /** Beginning of the names of the classes that run a replay. */
    private static final String REPLAY = "jinsi.replay.";
    /** Binary name of the exception's class. */
    final String className;
    /** Stored message, or {@code null}. */
    private String message;
    /** Feature release of the JDK whose message it is; 0 if it is the program's, or of the JDK that runs this. */
    private int messageOfJdk;
    /** Whether messages that differ by chance alone are the same: until it is known that the replay has the very message. */
    private boolean byChance = true;
    /** What the JVM says of a NullPointerException that has no message of its own; {@code null} if that is not known yet. */
    private String helpfulMessage;
    /** Binary name of the class of the first frame that is the program's; empty if it may be thrown anywhere. */
    final String atClass;
    /** That method. */
    final String atMethod;
    /** Its line; not compared if not positive. */
    final int atLine;
    private final boolean assertion;
    /** Beginnings of the names of classes that are not the program's. */
    private final List<String> notThePrograms;

    Predicate(String className, String message, int messageOfJdk, String atClass, String atMethod, int atLine,
            boolean assertion, List<String> notThePrograms) {
        this.className = className;
        this.message = message;
        this.atClass = atClass;
        this.atMethod = atMethod;
        this.atLine = atLine;
        this.assertion = assertion;
        this.messageOfJdk = messageOfJdk;
        this.notThePrograms = notThePrograms;
    }

    /** Stored message, or {@code null}. */
    String message() {
        return message;
    }

    /** Feature release of the JDK whose message it is; 0 if it is the program's. */
    int messageOfJdk() {
        return messageOfJdk;
    }

    /** Whether it is the exception of a failed assertion. */
    boolean isAssertion() {
        return assertion;
    }

    /** Whether {@code exception} is the recorded failure, or was caused by it. */
    boolean matches(Throwable exception) {
        return cause(exception) != null;
    }

    /** The recorded failure: {@code exception}, or one of its causes; {@code null} if it is none of them. */
    private Throwable cause(Throwable exception) {
        Throwable at = exception;
        for (int depth = 0; at != null && depth < CAUSES; depth++) {
            if (is(at)) {
                return at;
            }
            at = Throwables.cause(at);
        }
        return null;
    }

    private boolean is(Throwable exception) {
        if (!exception.getClass().getName().equals(className)
                || isWordedAlike() && !says(exception)
                || helpfulMessage != null && !helpfulMessage.equals(helpfulMessage(exception))) {
            return false;
        }
        if (atClass.isEmpty()) {
            return true;
        }
        StackTraceElement top = Throwables.topFrame(exception, this::isPassedOver);
        if (top == null || top.getClassName().startsWith(REPLAY)) {
            // A program may take its own frames out of its own exceptions.
            return message != null && notThePrograms.stream().noneMatch(className::startsWith);
        }
        return top.getClassName().equals(atClass) && top.getMethodName().equals(atMethod)
                && (atLine <= 0 || top.getLineNumber() == atLine);
    }

    private boolean says(Throwable exception) {
        String wording = Throwables.wording(exception);
        return Objects.equals(message, wording)
                || byChance && Objects.equals(Chance.without(message), Chance.without(wording));
    }

    /** Whether {@code exception} is that of an assertion further down in the same method, which the recorded run did not come to. */
    boolean isBehind(Throwable exception) {
        if (!assertion || atLine <= 0 || !exception.getClass().getName().equals(className)) {
            return false;
        }
        StackTraceElement top = Throwables.topFrame(exception, this::isPassedOver);
        return top != null && top.getClassName().equals(atClass) && top.getMethodName().equals(atMethod)
                && top.getLineNumber() > atLine;
    }

    /**
     * Takes the message of {@code failure}, which is the recorded failure, for the one that it has on this JDK. From now on only that counts:
     * smaller values must not make it another one.
     */
    void adopt(Throwable failure) {
        Throwable cause = cause(failure);
        Throwable recorded = cause == null ? failure : cause;
        byChance = isWordedAlike() && !Objects.equals(message, Throwables.wording(recorded));
        if (!isWordedAlike()) {
            message = Throwables.wording(recorded);
            messageOfJdk = 0;
        }
        helpfulMessage = helpfulMessage(recorded);
    }

    /** A line can have several things that may be {@code null}: only the JVM tells which of them it was. */
    private static String helpfulMessage(Throwable exception) {
        boolean ofJvm = exception.getClass() == NullPointerException.class && Throwables.wording(exception) == null;
        return ofJvm ? exception.getMessage() : null;
    }

    /** Whether this JDK has the messages of the recorded one. */
    private boolean isWordedAlike() {
        return messageOfJdk == 0 || messageOfJdk == Runtime.version().feature();
    }

    /** Whether a class is not the program's, and its frames say nothing of where the program failed. */
    private boolean isPassedOver(String className) {
        return !className.equals(atClass) && notThePrograms.stream().anyMatch(className::startsWith);
    }

    @Override
    public String toString() {
        String line = atLine > 0 ? ":" + atLine : "";
        return Throwables.describe(className, message, atClass.isEmpty() ? "any place" : atClass + "." + atMethod + line);
    }
}
