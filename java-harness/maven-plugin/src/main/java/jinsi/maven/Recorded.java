package jinsi.maven;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import jinsi.build.Minimizer;
import jinsi.build.Natives;
import org.apache.maven.project.MavenProject;

/** What became of the recording of a module's tests in this session: kept in the module's properties, which all parts of the plugin see. */
final class Recorded {
    private static final String DIRECTORY = "jinsi.internal.directory";
    private static final String COMMAND = "jinsi.internal.command";
    private static final String OPTIONS = "jinsi.internal.options";
    private static final String WHY_NOT = "jinsi.internal.why-not";

    private final Path directory;
    private final Path command;
    private final List<String> options;

    private Recorded(Path directory, Path command, List<String> options) {
        this.directory = directory;
        this.command = command;
        this.options = options;
    }

    /** The module's tests are going to be recorded into a directory, and minimized with these options. */
    static void expect(MavenProject project, Path directory, Natives natives, List<String> options) {
        project.getProperties().setProperty(DIRECTORY, directory.toAbsolutePath().toString());
        project.getProperties().setProperty(COMMAND, natives.command().toString());
        project.getProperties().setProperty(OPTIONS, String.join(" ", options));
    }

    /** Tests of the module are not recorded, and this is why. */
    static void without(MavenProject project, String why) {
        project.getProperties().setProperty(WHY_NOT, why);
    }

    /** Why tests of the module are not recorded, if that is known. */
    static Optional<String> whyNot(MavenProject project) {
        return Optional.ofNullable(project.getProperties().getProperty(WHY_NOT));
    }

    /** The recording of a module, if one was prepared in this session. */
    static Optional<Recorded> of(MavenProject project) {
        String directory = project.getProperties().getProperty(DIRECTORY);
        String command = project.getProperties().getProperty(COMMAND);
        if (directory == null || command == null) {
            return Optional.empty();
        }
        String options = project.getProperties().getProperty(OPTIONS, "");
        List<String> all = options.isEmpty() ? Collections.emptyList() : Arrays.asList(options.split(" "));
        return Optional.of(new Recorded(Paths.get(directory), Paths.get(command), all));
    }

    /** The recording that is in a directory, which is minimized with these options. */
    static Recorded in(Path directory, List<String> options) throws IOException {
        Path absolute = directory.toAbsolutePath();
        return new Recorded(absolute, Natives.unpack(absolute.resolve("native")).command(), options);
    }

    /** Is there a trace of a failed test? */
    boolean isThere() throws IOException {
        return !Minimizer.traces(directory).isEmpty();
    }

    /** Where the traces are, or would be. */
    Path directory() {
        return directory;
    }

    /**
     * Makes the reports, unless they are there, and links them to those of Surefire and Failsafe, where they usually are.
     *
     * @param target directory of what the module's build makes
     * @return the page over the failed tests, if there is one
     */
    Optional<Path> report(Path target, Consumer<String> log) throws IOException, InterruptedException {
        Minimizer.make(directory, command, options, log);
        for (String reports : FailedTests.REPORTS) {
            Minimizer.link(directory, target.resolve(reports));
        }
        return Minimizer.page(directory);
    }
}
