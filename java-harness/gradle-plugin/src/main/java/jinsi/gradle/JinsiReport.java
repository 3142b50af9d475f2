package jinsi.gradle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jinsi.build.Message;
import jinsi.build.Minimizer;
import jinsi.build.Natives;
import org.gradle.api.DefaultTask;
import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.provider.Property;
import org.gradle.api.tasks.Internal;
import org.gradle.api.tasks.TaskAction;
import org.gradle.work.DisableCachingByDefault;

/** Makes a minimal test, and a report, of each failed test that was recorded. */
@DisableCachingByDefault(because = "Traces are left by failed tests only, which are never up to date")
public abstract class JinsiReport extends DefaultTask {
    /** Does nothing if set. */
    @Internal
    public abstract Property<Boolean> getSkip();

    /** A failed test is run a second time where its recording gives no test to keep. */
    @Internal
    public abstract Property<Boolean> getSecondTry();

    /** Has a directory with traces for each test task; the reports go there, too. */
    @Internal
    public abstract DirectoryProperty getDirectory();

    /** Makes the reports. What hinders it is said, and fails nothing. */
    @TaskAction
    public void report() {
        Path all = getDirectory().get().getAsFile().toPath();
        if (getSkip().get() || !Natives.areSupported() || !Files.isDirectory(all)) {
            return;
        }
        try {
            report(all);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException e) {
            getLogger().warn(Message.NOT_REPORTED.line(e));
        }
    }

    private void report(Path all) throws IOException, InterruptedException {
        List<Path> directories;
        try (Stream<Path> files = Files.list(all)) {
            directories = files.filter(Files::isDirectory).sorted().collect(Collectors.toList());
        }
        for (Path directory : directories) {
            if (!Minimizer.traces(directory).isEmpty()) {
                Path command = Natives.unpack(directory.resolve("native")).command();
                Minimizer.make(directory, command, Minimizer.options(getSecondTry().get()), getLogger()::lifecycle);
                // Gradle's own reports of the task of this name, where they usually are.
                Path reports = all.resolveSibling("reports").resolve("tests").resolve(directory.getFileName().toString());
                Minimizer.link(directory, reports);
            }
        }
    }
}
