package jinsi.build;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Minimal tests from the traces of a project's tests, by the command {@code jinsi minimize}. */
public final class Minimizer {
    /** How a trace file's name ends. */
    public static final String TRACE = ".jinsi";
    /** How the names of those begin that the command makes of recordings at the boundary. */
    private static final String EXPANDED = "expanded";
    /** What the command leaves when it is through, beside the traces. */
    private static final String DONE = "tests.json";
    /** The page over the failed tests. */
    private static final String PAGE = "index.html";
    /** Has failed tests run a second time, alone, where their light recordings give no tests to keep. */
    private static final String SECOND_TRY = "--second-try";
    /** Has tests written for the framework of the failed one: the project need not have another. */
    private static final List<String> SAME_FRAMEWORK = Arrays.asList("--junit", "same");
    /** The answer in Markdown, for a comment on a change. */
    private static final String COMMENT = "comment.md";
    /** What every test needs alike, and what the command leaves that puts a test into a project. */
    private static final List<String> SHARED = Arrays.asList("classes", "lib", "jinsi-report");
    /** In the directory of each test. */
    private static final String REPORT = "report.json";
    /** Minutes after which the command begins no further search, and says what it has found. */
    private static final long BUDGET = 15;
    /** Minutes for the tests of a project, after which the command is ended: then it has said nothing. */
    private static final long LIMIT = 20;

    private Minimizer() {}

    /** Traces of tests in a directory; none if it does not exist. */
    public static List<Path> traces(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return Collections.emptyList();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(Minimizer::isOfTests).sorted().collect(Collectors.toList());
        }
    }

    /**
     * Removes traces and reports of earlier builds, older than {@code start} in milliseconds. Younger ones are those of another execution
     * in this build.
     */
    public static void removeOlder(Path directory, long start) throws IOException {
        List<Path> ours;
        try (Stream<Path> files = Files.list(directory)) {
            ours = files.filter(Minimizer::isOurs).collect(Collectors.toList());
        }
        for (Path file : ours) {
            if (Files.getLastModifiedTime(file).toMillis() >= start) {
                continue;
            }
            try (Stream<Path> below = Files.walk(file)) {
                for (Path each : below.sorted(Comparator.reverseOrder()).collect(Collectors.toList())) {
                    Files.delete(each);
                }
            }
        }
    }

    private static boolean isOfTests(Path file) {
        String name = file.getFileName().toString();
        return name.endsWith(TRACE) && !name.startsWith(EXPANDED);
    }

    private static boolean isOurs(Path file) {
        String name = file.getFileName().toString();
        return name.endsWith(TRACE) || name.equals(DONE) || name.equals(PAGE) || name.equals(COMMENT) || SHARED.contains(name) || Files.exists(file.resolve(REPORT));
    }

    /** The options of {@code jinsi minimize} for a build in which a failed test may be run a second time, or may not. */
    public static List<String> options(boolean secondTry) {
        return secondTry ? Collections.singletonList(SECOND_TRY) : Collections.emptyList();
    }

    /**
     * Makes the reports of the traces in a directory, unless they are there.
     *
     * @param command the command {@code jinsi}
     * @param options further options of {@code jinsi minimize}
     * @param log     gets what the command prints
     */
    public static void make(Path directory, Path command, List<String> options, Consumer<String> log) throws IOException, InterruptedException {
        List<Path> traces = traces(directory);
        if (traces.isEmpty() || isDone(directory, traces)) {
            return;
        }
        List<String> call = new ArrayList<>();
        call.add(command.toString());
        call.add("minimize");
        call.add("--java-home");
        call.add(System.getProperty("java.home"));
        call.add("--out");
        call.add(directory.toString());
        call.add("--markdown");
        call.add(directory.resolve(COMMENT).toString());
        call.add("--budget");
        call.add(String.valueOf(TimeUnit.MINUTES.toSeconds(BUDGET)));
        call.addAll(SAME_FRAMEWORK);
        call.addAll(options);
        traces.forEach(trace -> call.add(trace.toString()));
        ProcessBuilder builder = new ProcessBuilder(call).redirectErrorStream(true);
        // The command gets JUnit, to try the tests it writes, with Maven: this one, which the PATH need not have.
        String maven = System.getProperty("maven.home");
        if (maven != null) {
            builder.environment().merge("PATH", maven + "/bin", (path, bin) -> bin + ":" + path);
        }
        log.accept(Message.MINIMIZES.with());
        Process process = builder.start();
        process.getOutputStream().close();
        Thread reader = new Thread(() -> forward(process, log), "jinsi minimize");
        reader.start();
        if (!process.waitFor(LIMIT, TimeUnit.MINUTES)) {
            process.destroy();
            log.accept(Message.TOO_LONG.with(LIMIT, directory));
        }
        reader.join();
    }

    /** The page over the failed tests, if there is one. */
    public static Optional<Path> page(Path directory) {
        return Optional.of(directory.resolve(PAGE)).filter(Files::exists);
    }

    /**
     * Leaves a page in the directory of a build's own reports, if that is there, which leads to the page over the failed tests, if there is one.
     */
    public static void link(Path directory, Path reports) throws IOException {
        Optional<Path> page = page(directory);
        if (!page.isPresent() || !Files.isDirectory(reports)) {
            return;
        }
        String to = reports.toAbsolutePath().relativize(page.get().toAbsolutePath()).toString().replace("&", "&amp;").replace("\"", "&quot;");
        List<String> lines = Arrays.asList(
                "<!DOCTYPE html>",
                "<html lang=\"en\">",
                "<head><meta charset=\"utf-8\"><title>jinsi: minimal tests</title>",
                "<meta http-equiv=\"refresh\" content=\"0; url=" + to + "\"></head>",
                "<body><main><h1>jinsi</h1><p><a href=\"" + to + "\">Minimal tests of the tests that failed</a></p></main></body>",
                "</html>");
        Files.write(reports.resolve("jinsi.html"), lines);
    }

    private static boolean isDone(Path directory, List<Path> traces) throws IOException {
        Path done = directory.resolve(DONE);
        if (!Files.exists(done)) {
            return false;
        }
        for (Path trace : traces) {
            if (Files.getLastModifiedTime(trace).compareTo(Files.getLastModifiedTime(done)) > 0) {
                return false;
            }
        }
        return true;
    }

    private static void forward(Process process, Consumer<String> log) {
        InputStreamReader text = new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8);
        try (BufferedReader lines = new BufferedReader(text)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                log.accept(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
