package jinsi.replay;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.Predicate;

/** A {@code java.util.function.Predicate} of the user's, which says of an object whether it is in a wrong state. */
final class UserPredicate {
    private final String className;
    /** Where its class is, below its packages. */
    private final URL place;

    private UserPredicate(String className, URL place) {
        this.className = className;
        this.place = place;
    }

    /** The class of this binary name, which is in {@code directory}. */
    static UserPredicate in(String directory, String className) throws IOException {
        return new UserPredicate(className, Path.of(directory).toUri().toURL());
    }

    /**
     * The class of this binary name, where {@code loader} has it.
     *
     * @throws ClassNotFoundException if it has none
     */
    static UserPredicate of(ClassLoader loader, String className) throws ClassNotFoundException, IOException {
        String file = className.replace('.', '/') + ".class";
        URL found = loader.getResource(file);
        if (found == null) {
            throw new ClassNotFoundException(className);
        }
        String text = found.toString();
        return new UserPredicate(className, URI.create(text.substring(0, text.length() - file.length())).toURL());
    }

    /** Whether it holds of one of the objects; those of classes that it is not for are passed over. */
    boolean holdsOfAny(Set<Object> objects, ReplayLoader program) throws ReflectiveOperationException, IOException {
        try (URLClassLoader loader = new URLClassLoader(new URL[] {place}, program)) {
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
