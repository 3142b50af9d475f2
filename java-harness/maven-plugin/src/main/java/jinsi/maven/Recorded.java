package jinsi.maven;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import jinsi.build.Minimizer;
import jinsi.build.Natives;
import org.apache.maven.project.MavenProject;

/** Projects whose tests are recorded in this session: kept in their properties, which all parts of the plugin see. */
final class Recorded {
    private static final String DIRECTORY = "jinsi.internal.directory";
    private static final String COMMAND = "jinsi.internal.command";

    private Recorded() {}

    /** Tests of the project are going to be recorded into a directory. */
    static void expect(MavenProject project, Path directory, Natives natives) {
        project.getProperties().setProperty(DIRECTORY, directory.toAbsolutePath().toString());
        project.getProperties().setProperty(COMMAND, natives.command().toString());
    }

    /** Leaves links in the directories of Surefire's and Failsafe's reports, where they usually are. */
    static void link(Path directory, Path target) throws IOException {
        for (String reports : List.of("surefire-reports", "failsafe-reports")) {
            Minimizer.link(directory, target.resolve(reports));
        }
    }

    /** Makes the reports of a project whose tests were recorded in this session, unless they are there. */
    static void report(MavenProject project, Consumer<String> log) throws IOException, InterruptedException {
        String directory = project.getProperties().getProperty(DIRECTORY);
        String command = project.getProperties().getProperty(COMMAND);
        if (directory != null && command != null) {
            Minimizer.make(Path.of(directory), Path.of(command), log);
            link(Path.of(directory), Path.of(project.getBuild().getDirectory()));
        }
    }
}
