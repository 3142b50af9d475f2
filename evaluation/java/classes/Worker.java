package classes;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * Takes orders from standard input, one a line with its words separated by tabs, until it ends. The answer to each ends with a line
 * "done" and figures; "failed" stands for an order that could not be carried out.
 *
 * <p>{@code jar FILE BUNDLE} copies all class files of a jar into a bundle, {@code modules BUNDLE} those of the running JDK. {@code
 * link ORIGINAL REWRITTEN JARS} loads and links the classes of REWRITTEN together with the jars. For each class that the JVM refuses
 * there is a line: "error", name and reason if it accepts the class of ORIGINAL in the same place, else "unlinkable", name, reason.
 * Verification has to be switched on for all classes.
 */
final class Worker {
    private static final PrintStream OUT = System.out;

    private Worker() {}

    public static void main(String[] args) throws IOException {
        System.setOut(System.err);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split("\t", -1);
            try {
                obey(words);
            } catch (IOException | RuntimeException | Error e) {
                say("failed", e.toString(), "");
            }
            OUT.flush();
        }
    }

    private static void obey(String[] words) throws IOException {
        switch (words[0]) {
            case "jar" -> jar(Path.of(words[1]), Path.of(words[2]));
            case "modules" -> modules(Path.of(words[1]));
            case "link" -> link(Path.of(words[1]), Path.of(words[2]), words[3]);
            default -> throw new IllegalArgumentException(words[0]);
        }
    }

    private static void jar(Path file, Path bundle) throws IOException {
        int count = 0;
        try (JarFile jar = new JarFile(file.toFile(), false); Bundle.Writer out = new Bundle.Writer(bundle)) {
            for (Enumeration<JarEntry> entries = jar.entries(); entries.hasMoreElements();) {
                JarEntry entry = entries.nextElement();
                if (entry.getName().endsWith(".class")) {
                    out.add("", entry.getName(), jar.getInputStream(entry).readAllBytes());
                    count++;
                }
            }
        }
        OUT.println("done\t" + count);
    }

    private static void modules(Path bundle) throws IOException {
        Path root = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules");
        int count = 0;
        try (Stream<Path> all = Files.walk(root); Bundle.Writer out = new Bundle.Writer(bundle)) {
            for (Path path : (Iterable<Path>) all.sorted()::iterator) {
                if (path.toString().endsWith(".class")) {
                    Path inside = root.relativize(path);
                    String place = inside.getName(0).toString();
                    out.add(place, place.isEmpty() ? "" : inside.subpath(1, inside.getNameCount()).toString(),
                            Files.readAllBytes(path));
                    count++;
                }
            }
        }
        OUT.println("done\t" + count);
    }

    /** Classes of one jar by place ("", "META-INF/versions/9/", …) and name. */
    private static Map<String, Map<String, byte[]>> places(Path bundle) throws IOException {
        Map<String, Map<String, byte[]>> places = new LinkedHashMap<>();
        // The classes that the others build on.
        places.put("", new LinkedHashMap<>());
        for (Bundle.Entry entry : Bundle.read(bundle)) {
            places.computeIfAbsent(entry.place(), p -> new LinkedHashMap<>())
                    .put(entry.name().replace('/', '.'), entry.bytes());
        }
        return places;
    }

    /** What the JVM refuses of the original classes that were asked for last, by place. */
    private static Path known;
    private static final Map<String, Map<String, String>> REFUSED_ORIGINALS = new HashMap<>();

    private static void link(Path original, Path rewritten, String jars) throws IOException {
        if (!original.equals(known)) {
            known = original;
            REFUSED_ORIGINALS.clear();
        }
        Map<String, Map<String, byte[]>> places = places(rewritten);
        int linked = 0;
        for (String place : places.keySet()) {
            Map<String, String> refused = new LinkedHashMap<>();
            linked += refused(places, place, jars, refused);
            if (refused.isEmpty()) {
                continue;
            }
            if (!REFUSED_ORIGINALS.containsKey(place)) {
                Map<String, String> alsoRefused = new HashMap<>();
                // All of them, not just those in question: whether a class links may depend on what was loaded before it.
                refused(places(original), place, jars, alsoRefused);
                REFUSED_ORIGINALS.put(place, alsoRefused);
            }
            Map<String, String> alsoRefused = REFUSED_ORIGINALS.get(place);
            boolean again = refused.entrySet().stream()
                    .anyMatch(e -> isConstraint(e.getValue()) && !alsoRefused.containsKey(e.getKey()));
            if (again) {
                refused(places(original), place, jars, alsoRefused);
            }
            refused.forEach((name, why) ->
                    say(alsoRefused.containsKey(name) ? "unlinkable" : "error", place + name.replace('.', '/'), why));
        }
        OUT.println("done\t" + linked);
    }

    /**
     * Is this about loaders, not bytes? Classes that are named like some of the JDK's bind the names in its signatures to the
     * first loader that defines them, for as long as that lives (JVMS §5.3.4); of the original it has to be asked at the same time.
     */
    private static boolean isConstraint(String why) {
        return why.contains("loader constraint violation");
    }

    /** Links the classes of a place in a loader of their own; why those that are refused are. Gives how many are not. */
    private static int refused(Map<String, Map<String, byte[]>> places, String place, String jars,
            Map<String, String> refused) throws IOException {
        int linked = 0;
        try (Loader loader = new Loader(places.get(place), places.get(""), urls(jars))) {
            for (String name : places.get(place).keySet()) {
                try {
                    link(loader.loadClass(name));
                    linked++;
                } catch (ClassNotFoundException | LinkageError | RuntimeException e) {
                    refused.put(name, e.toString());
                }
            }
        }
        return linked;
    }

    /** Links a class without initializing it: asking for its constructors does. */
    static void link(Class<?> c) {
        c.getConstructors();
    }

    private static URL[] urls(String jars) throws MalformedURLException {
        List<URL> urls = new ArrayList<>();
        for (String jar : jars.split(java.io.File.pathSeparator)) {
            if (!jar.isEmpty()) {
                urls.add(Path.of(jar).toUri().toURL());
            }
        }
        return urls.toArray(new URL[0]);
    }

    private static void say(String what, String name, String why) {
        OUT.println(what + "\t" + name + "\t" + why.lines().limit(3).reduce((a, b) -> a + " " + b.strip()).orElse(""));
    }

    /** First the classes of a place, then those all places build on, then the jars; all in one loader, as a program has them. */
    private static final class Loader extends URLClassLoader {
        private final Map<String, byte[]> own;
        private final Map<String, byte[]> base;

        Loader(Map<String, byte[]> own, Map<String, byte[]> base, URL[] jars) {
            super(jars, ClassLoader.getPlatformClassLoader());
            this.own = own;
            this.base = base;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                if (known != null) {
                    return known;
                }
                byte[] bytes = own.getOrDefault(name, base.get(name));
                // Only the boot loader may define these.
                if (bytes == null || name.startsWith("java.")) {
                    return super.loadClass(name, resolve);
                }
                return defineClass(name, bytes, 0, bytes.length);
            }
        }
    }
}
