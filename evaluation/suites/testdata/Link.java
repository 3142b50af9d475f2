import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Has the JVM verify each class file of a directory, by itself; prints the names of those that it refuses, and why. */
public class Link {
    public static void main(String[] args) throws Exception {
        List<Path> files;
        try (Stream<Path> all = Files.list(Path.of(args[0]))) {
            files = all.sorted().collect(Collectors.toList());
        }
        for (Path file : files) {
            byte[] bytes = Files.readAllBytes(file);
            ClassLoader loader = new ClassLoader() {
                @Override
                protected Class<?> findClass(String name) {
                    return defineClass(name, bytes, 0, bytes.length);
                }
            };
            try {
                Class.forName("Sample", true, loader);
            } catch (LinkageError e) {
                System.out.println(file.getFileName() + ": " + e);
            }
        }
    }
}
