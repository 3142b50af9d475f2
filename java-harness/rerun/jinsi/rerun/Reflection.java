package jinsi.rerun;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.function.Predicate;

/** Calls classes that this program was compiled without. */
final class Reflection {
    private Reflection() {}

    /** Is there a class of this name? */
    static boolean exists(String className) {
        try {
            load(className);
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }

    static Class<?> load(String className) throws ClassNotFoundException {
        return Class.forName(className, false, ClassLoader.getSystemClassLoader());
    }

    /** Makes an object by the public constructor that takes these arguments. */
    static Object make(String className, Object... arguments) throws ReflectiveOperationException {
        Class<?> made = load(className);
        Constructor<?>[] all = made.getConstructors();
        Executable found = first(all, constructor -> takes(constructor, arguments), className);
        return ((Constructor<?>) found).newInstance(arguments);
    }

    /**
     * Calls the public method of this name that takes these arguments.
     *
     * @param className the class or interface that declares it: the object's own class may be hidden
     * @param object {@code null} for a static method
     */
    static Object call(String className, String method, Object object, Object... arguments) throws ReflectiveOperationException {
        Method[] all = load(className).getMethods();
        Executable found = first(all, one -> one.getName().equals(method) && takes(one, arguments), className + "." + method);
        return ((Method) found).invoke(object, arguments);
    }

    private static Executable first(Executable[] all, Predicate<Executable> wanted, String name) throws NoSuchMethodException {
        return Arrays.stream(all).filter(wanted).findFirst().orElseThrow(() -> new NoSuchMethodException(name));
    }

    private static boolean takes(Executable executable, Object[] arguments) {
        Class<?>[] types = executable.getParameterTypes();
        if (types.length != arguments.length) {
            return false;
        }
        for (int i = 0; i < types.length; i++) {
            boolean isFlag = types[i] == boolean.class && arguments[i] instanceof Boolean;
            boolean isNumber = types[i] == int.class && arguments[i] instanceof Integer;
            if (!isFlag && !isNumber && !types[i].isInstance(arguments[i])) {
                return false;
            }
        }
        return true;
    }
}
