package recipes.walk;

import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** Runs the test of a class without any framework, and says with which message it fails. */
public final class Rerun {
    private Rerun() {
    }

    /** Takes the name of the class. */
    public static void main(String[] args) throws ReflectiveOperationException {
        Class<?> type = Class.forName(args[0]);
        Constructor<?> constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        Object test = constructor.newInstance();
        for (Method method : type.getDeclaredMethods()) {
            for (Annotation annotation : method.getDeclaredAnnotations()) {
                if (annotation.annotationType().getSimpleName().equals("Test")) {
                    method.setAccessible(true);
                    try {
                        method.invoke(test);
                        System.out.print("it passed");
                    } catch (InvocationTargetException e) {
                        System.out.print(e.getCause().getMessage());
                    }
                }
            }
        }
    }
}
