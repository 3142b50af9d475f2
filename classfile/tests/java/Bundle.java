import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Works on bundles: files of classes, each a name (writeUTF), a length and that many bytes.
 *
 * <p>{@code dump MODULE EVERY FILE} writes every EVERYth class of a module of the running JDK; {@code run FILE MAIN} runs a main
 * class out of a bundle, {@code load FILE} loads and links all its classes, {@code redefine ORIGINAL REWRITTEN} puts rewritten
 * classes of the JDK in the place of the originals and back. Verification must be on for all classes. What goes wrong is printed,
 * one line a class that begins with "BAD"; the last line says how many classes there were.
 */
public class Bundle {
    static Instrumentation instrumentation;

    public static void premain(String args, Instrumentation given) {
        instrumentation = given;
    }

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "dump":
                dump(args[1], Integer.parseInt(args[2]), Path.of(args[3]));
                break;
            case "run":
                new Loader(read(Path.of(args[1]))).loadClass(args[2]).getMethod("main", String[].class)
                        .invoke(null, (Object) new String[0]);
                System.out.println(Probe.hits > 0 ? "hit" : "never hit");
                break;
            case "load":
                load(read(Path.of(args[1])));
                break;
            case "redefine":
                redefine(read(Path.of(args[1])), read(Path.of(args[2])));
                break;
            default:
                throw new IllegalArgumentException(args[0]);
        }
    }

    static void dump(String module, int every, Path file) throws IOException {
        Path root = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules", module);
        int n = 0;
        try (Stream<Path> all = Files.walk(root);
                DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
            List<Path> paths = all.filter(p -> p.toString().endsWith(".class")).sorted().toList();
            for (Path path : paths) {
                if (n++ % every == 0) {
                    String name = root.relativize(path).toString();
                    byte[] bytes = Files.readAllBytes(path);
                    out.writeUTF(name.substring(0, name.length() - ".class".length()));
                    out.writeInt(bytes.length);
                    out.write(bytes);
                }
            }
        }
    }

    static Map<String, byte[]> read(Path file) throws IOException {
        Map<String, byte[]> classes = new LinkedHashMap<>();
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            while (true) {
                String name = in.readUTF().replace('/', '.');
                byte[] bytes = new byte[in.readInt()];
                in.readFully(bytes);
                classes.put(name, bytes);
            }
        } catch (EOFException end) {
            return classes;
        }
    }

    static class Loader extends ClassLoader {
        private final Map<String, byte[]> classes;

        Loader(Map<String, byte[]> classes) {
            super(Bundle.class.getClassLoader());
            this.classes = classes;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                byte[] bytes = classes.get(name);
                Class<?> known = findLoadedClass(name);
                if (bytes == null || known != null) {
                    return known != null ? known : super.loadClass(name, resolve);
                }
                return defineClass(name, bytes, 0, bytes.length);
            }
        }
    }

    static void load(Map<String, byte[]> classes) {
        Loader loader = new Loader(classes);
        int missing = 0;
        for (String name : classes.keySet()) {
            try {
                // Asking for the methods links the class, and that verifies it; it is not initialized.
                loader.loadClass(name).getDeclaredMethods();
            } catch (NoClassDefFoundError | ClassNotFoundException e) {
                missing++;
            } catch (Throwable e) {
                bad(name, e);
            }
        }
        System.out.println("done " + classes.size() + " missing " + missing);
    }

    static void redefine(Map<String, byte[]> original, Map<String, byte[]> rewritten) {
        List<ClassDefinition> there = new ArrayList<>();
        List<ClassDefinition> back = new ArrayList<>();
        int missing = 0;
        int done = 0;
        for (String name : rewritten.keySet()) {
            try {
                Class<?> c = Class.forName(name, false, null);
                if (!instrumentation.isModifiableClass(c)) {
                    throw new ClassNotFoundException(name);
                }
                there.add(new ClassDefinition(c, rewritten.get(name)));
                back.add(new ClassDefinition(c, original.get(name)));
            } catch (ClassNotFoundException | LinkageError e) {
                missing++;
            }
        }
        for (int from = 0; from < there.size(); from += 100) {
            int to = Math.min(from + 100, there.size());
            done += swap(there.subList(from, to), back.subList(from, to));
        }
        System.out.println("done " + done + " missing " + missing);
    }

    /** Verifies rewritten classes together, or if that fails each on its own. */
    static int swap(List<ClassDefinition> there, List<ClassDefinition> back) {
        try {
            instrumentation.redefineClasses(there.toArray(new ClassDefinition[0]));
            instrumentation.redefineClasses(back.toArray(new ClassDefinition[0]));
            return there.size();
        } catch (Throwable e) {
            if (there.size() == 1) {
                if (e instanceof UnsupportedOperationException) {
                    // Flight Recorder has changed the class since it was loaded.
                    return 0;
                }
                bad(there.get(0).getDefinitionClass().getName(), e);
                return 1;
            }
            int half = there.size() / 2;
            return swap(there.subList(0, half), back.subList(0, half))
                    + swap(there.subList(half, there.size()), back.subList(half, back.size()));
        }
    }

    static void bad(String name, Throwable e) {
        System.out.println("BAD " + name + " " + e.toString().replace('\n', ' '));
    }
}
