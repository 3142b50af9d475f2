package jinsi.replay;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.Predicate;

/** A {@code java.util.function.Predicate} of the user's, which says of an object whether it is in a wrong state. */
final class UserPredicate {
    private final String className;
    private final String directory;

    /** The class of this binary name, which is in {@code directory}. */
    UserPredicate(String className, String directory) {
        this.className = className;
        this.directory = directory;
    }

    /** Whether it holds of one of the objects; those of classes that it is not for are passed over. */
    boolean holdsOfAny(Set<Object> objects, ReplayLoader program) throws ReflectiveOperationException, IOException {
        URL[] place = {Path.of(directory).toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(place, program)) {
            var constructor = Class.forName(className, true, loader).getDeclaredConstructor();
            constructor.setAccessible(true);
            @SuppressWarnings("unchecked")
            Predicate<Object> predicate = (Predicate<Object>) constructor.newInstance();
            for (Object object : objects) {
                if (isFor(predicate, object) && predicate.test(object)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether the method that was compiled for the predicate's own type takes the object. */
    private static boolean isFor(Predicate<Object> predicate, Object object) {
        for (var method : predicate.getClass().getDeclaredMethods()) {
            if (method.getName().equals("test") && !method.isBridge() && method.getParameterCount() == 1) {
                return method.getParameterTypes()[0].isInstance(object);
            }
        }
        return false;
    }
}
