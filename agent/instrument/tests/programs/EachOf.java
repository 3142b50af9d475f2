import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

/** Runs the main method of a class as it is in each of several directories: one start of a JVM for all. */
public final class EachOf {
    private EachOf() {
    }

    /** Takes the name of the class, and the directories. Behind the output of each comes a line with its number, from 1. */
    public static void main(String[] args) throws Throwable {
        for (int no = 1; no < args.length; no++) {
            URL[] place = {Path.of(args[no]).toUri().toURL()};
            try (URLClassLoader loader = new URLClassLoader(place, null)) {
                // To look at all methods would look for all classes that they name.
                MethodType type = MethodType.methodType(void.class, String[].class);
                MethodHandle main = MethodHandles.publicLookup()
                        .findStatic(loader.loadClass(args[0]), "main", type);
                main.invoke(new String[0]);
            }
            System.out.println(no);
        }
    }
}
