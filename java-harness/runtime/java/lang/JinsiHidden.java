package java.lang;

import java.lang.reflect.Method;

/**
 * What the program must not see of the methods that recording adds to its classes, the bodies of method references.
 *
 * <p>{@code Reflection} and {@code StackTraceElement} are rewritten to pass here what they give.
 */
public final class JinsiHidden {
    /** Names of the added methods begin with this. */
    private static final String BODY = "lambda$jinsi$";
    /** The loader of replayed classes, which calls such methods itself; what the classes ask about methods, the recording answers. */
    private static final String REPLAY = "jinsi.replay.ReplayLoader";

    private JinsiHidden() {}

    /** Methods of a class as reflection shows them: without ours. */
    public static Method[] without(Method[] methods) {
        int left = 0;
        for (Method method : methods) {
            left += isOurs(method.getName()) ? 0 : 1;
        }
        if (left == methods.length || isReplayed(methods[0].getDeclaringClass())) {
            return methods;
        }
        Method[] others = new Method[left];
        int next = 0;
        for (Method method : methods) {
            if (!isOurs(method.getName())) {
                others[next++] = method;
            }
        }
        return others;
    }

    /** The frames of a stack trace without ours, as the JVM leaves out those of the function objects that lead there. */
    public static StackTraceElement[] without(StackTraceElement[] frames) {
        int left = 0;
        for (StackTraceElement frame : frames) {
            left += isOurs(frame.getMethodName()) ? 0 : 1;
        }
        if (left == frames.length) {
            return frames;
        }
        StackTraceElement[] others = new StackTraceElement[left];
        int next = 0;
        for (StackTraceElement frame : frames) {
            if (!isOurs(frame.getMethodName())) {
                others[next++] = frame;
            }
        }
        return others;
    }

    private static boolean isReplayed(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return loader != null && loader.getClass().getName().equals(REPLAY);
    }

    private static boolean isOurs(String method) {
        return method != null && method.startsWith(BODY);
    }
}
