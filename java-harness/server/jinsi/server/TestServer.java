package jinsi.server;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Array;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Driver;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TimeZone;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * Compiles Java sources and runs JUnit tests, one request after the other, so that only the first of each waits for a
 * JVM to become warm. {@code analysis/src/jvm/server.rs} is the other side.
 *
 * <p>A request on standard input is a number of texts, and each text a number of bytes and these, in the encoding of
 * file names. The first text is the file for the reply, the second what to do, and the others are its arguments. The
 * reply is complete when its file is there: {@code 0}, or another digit if it did not work out, and a line feed; then
 * what there is to read. Standard output is the tests'.
 *
 * <p>The tests of each request, and what is on their class path, are loaded anew. Properties, time zone, languages and
 * streams are afterwards what they were before.
 */
public final class TestServer {
    private static final String LISTENER = "org.junit.platform.reporting.legacy.xml.LegacyXmlReportGeneratingListener";

    private final Map<String, ClassLoader> libraries = new HashMap<>();
    private JUnit junit;

    private TestServer() {
    }

    /**
     * Answers requests until there are no more.
     *
     * @param arguments none
     * @throws IOException a reply cannot be written
     */
    public static void main(String[] arguments) throws IOException {
        DataInputStream requests = new DataInputStream(new BufferedInputStream(System.in));
        System.setIn(InputStream.nullInputStream());
        TestServer server = new TestServer();
        try {
            for (;;) {
                List<String> request = read(requests);
                server.answer(Path.of(request.get(0)), request.get(1), request.subList(2, request.size()));
            }
        } catch (EOFException e) {
            // Threads that a test has left behind are no reason to stay.
            Runtime.getRuntime().halt(0);
        }
    }

    private static List<String> read(DataInputStream requests) throws IOException {
        Charset ofNames = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));
        List<String> request = new ArrayList<>();
        for (int left = requests.readInt(); left > 0; left--) {
            request.add(new String(requests.readNBytes(requests.readInt()), ofNames));
        }
        return request;
    }

    private void answer(Path file, String command, List<String> arguments) throws IOException {
        StringWriter text = new StringWriter();
        boolean done;
        try (PrintWriter out = new PrintWriter(text)) {
            done = perform(command, arguments, out);
        }
        Path unfinished = file.resolveSibling(file.getFileName() + ".part");
        Files.write(unfinished, ((done ? "0" : "1") + "\n" + text).getBytes(StandardCharsets.UTF_8));
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private boolean perform(String command, List<String> arguments, PrintWriter out) {
        try {
            switch (command) {
                case "compile":
                    return compile(arguments, out);
                case "test":
                    test(arguments.get(0), arguments.get(1), arguments.get(2), arguments.subList(3, arguments.size()));
                    return true;
                default:
                    throw new IllegalArgumentException("no such command: " + command);
            }
        } catch (Exception | LinkageError e) {
            e.printStackTrace(out);
            return false;
        }
    }

    /** Runs {@code javac}. */
    private static boolean compile(List<String> arguments, PrintWriter out) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new IllegalStateException("this Java has no compiler");
        }
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        int status = compiler.run(null, said, said, arguments.toArray(new String[0]));
        out.print(said.toString(Charset.defaultCharset()));
        return status == 0;
    }

    /**
     * Runs the tests of classes.
     *
     * @param reports directory for JUnit's reports
     * @param library class path of what is loaded once, as long as it is the same: Mockito
     * @param path class path of the tests, and of all that is loaded anew
     * @param classes binary names
     */
    private void test(String reports, String library, String path, List<String> classes) throws Exception {
        Surroundings before = new Surroundings();
        ClassLoader parent = libraries.get(library);
        if (parent == null) {
            parent = new URLClassLoader(urls(library), TestServer.class.getClassLoader());
            libraries.put(library, parent);
        }
        try (URLClassLoader tests = new URLClassLoader(urls(path), parent)) {
            Thread.currentThread().setContextClassLoader(tests);
            registerDrivers(tests);
            if (junit == null) {
                junit = new JUnit();
            }
            junit.run(Path.of(reports), tests, classes);
        } finally {
            before.restore();
        }
    }

    /** The JDK looks for database drivers once in the life of a JVM. Each request has its own classes of them. */
    private static void registerDrivers(ClassLoader tests) {
        if (tests.getResource("META-INF/services/java.sql.Driver") == null) {
            return;
        }
        Iterator<Driver> drivers = ServiceLoader.load(Driver.class, tests).iterator();
        boolean more = true;
        while (more) {
            try {
                more = drivers.hasNext();
                if (more) {
                    drivers.next();
                }
            } catch (ServiceConfigurationError | LinkageError e) {
                // The JDK leaves out a driver that does not load, too.
                more = true;
            }
        }
    }

    private static URL[] urls(String path) throws MalformedURLException {
        List<URL> urls = new ArrayList<>();
        for (String entry : path.split(Pattern.quote(File.pathSeparator))) {
            if (!entry.isEmpty()) {
                urls.add(Path.of(entry).toUri().toURL());
            }
        }
        return urls.toArray(new URL[0]);
    }

    /** What a test may change for those that come behind it. */
    private static final class Surroundings {
        private final Properties properties = (Properties) System.getProperties().clone();
        private final Locale language = Locale.getDefault();
        private final Locale display = Locale.getDefault(Locale.Category.DISPLAY);
        private final Locale format = Locale.getDefault(Locale.Category.FORMAT);
        private final InputStream in = System.in;
        private final PrintStream out = System.out;
        private final PrintStream err = System.err;
        private final ClassLoader loader = Thread.currentThread().getContextClassLoader();

        void restore() {
            System.setProperties(properties);
            TimeZone.setDefault(null);
            Locale.setDefault(language);
            Locale.setDefault(Locale.Category.DISPLAY, display);
            Locale.setDefault(Locale.Category.FORMAT, format);
            System.setIn(in);
            System.setOut(out);
            System.setErr(err);
            Thread.currentThread().setContextClassLoader(loader);
        }
    }

    /** The launcher of the JUnit on the class path, of which this class was compiled without. */
    private static final class JUnit {
        private final Object launcher;

        JUnit() throws ReflectiveOperationException {
            launcher = Class.forName("org.junit.platform.launcher.core.LauncherFactory").getMethod("create").invoke(null);
        }

        void run(Path reports, ClassLoader tests, List<String> names) throws ReflectiveOperationException {
            Class<?> selectors = Class.forName("org.junit.platform.engine.discovery.DiscoverySelectors");
            List<Object> selected = new ArrayList<>();
            for (String name : names) {
                Class<?> test = Class.forName(name, false, tests);
                selected.add(selectors.getMethod("selectClass", Class.class).invoke(null, test));
            }
            Class<?> builders = Class.forName("org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder");
            Object builder = builders.getMethod("request").invoke(null);
            builders.getMethod("selectors", List.class).invoke(builder, selected);
            // Whole stack traces: which frames matter is for the caller to say.
            builders.getMethod("configurationParameter", String.class, String.class)
                    .invoke(builder, "junit.platform.stacktrace.pruning.enabled", "false");
            Object request = builders.getMethod("build").invoke(builder);

            Object listener = Class.forName(LISTENER).getConstructor(Path.class, PrintWriter.class)
                    .newInstance(reports, new PrintWriter(new StringWriter()));
            Class<?> listeners = Class.forName("org.junit.platform.launcher.TestExecutionListener");
            Object all = Array.newInstance(listeners, 1);
            Array.set(all, 0, listener);
            Class<?> requests = Class.forName("org.junit.platform.launcher.LauncherDiscoveryRequest");
            Class.forName("org.junit.platform.launcher.Launcher").getMethod("execute", requests, all.getClass())
                    .invoke(launcher, request, all);
        }
    }
}
