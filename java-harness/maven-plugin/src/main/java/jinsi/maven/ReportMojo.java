package jinsi.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import jinsi.build.Minimizer;
import jinsi.build.Natives;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;

/**
 * Makes a minimal test, and a report, of each failed test that was recorded. With {@code <extensions>true</extensions>} this is done at the
 * end of the build by itself, because Maven runs no goal of a project whose tests have failed; the goal is for builds without, and for
 * tests that are run with {@code -Dmaven.test.failure.ignore}.
 */
@Mojo(name = "report", defaultPhase = LifecyclePhase.VERIFY, threadSafe = true)
public final class ReportMojo extends AbstractMojo {
    /** Does nothing if set. */
    @Parameter(property = "jinsi.skip", defaultValue = "false")
    private boolean skip;

    /** Where the traces are and the reports go. */
    @Parameter(property = "jinsi.directory", defaultValue = "${project.build.directory}/jinsi")
    private File directory;

    /** Where Surefire and Failsafe have their reports. */
    @Parameter(defaultValue = "${project.build.directory}", readonly = true)
    private File target;

    @Override
    public void execute() throws MojoExecutionException {
        if (skip || !Natives.areSupported()) {
            return;
        }
        Path traces = directory.toPath();
        try {
            if (!Minimizer.traces(traces).isEmpty()) {
                Path command = Natives.unpack(traces.resolve("native")).command();
                Minimizer.make(traces.toAbsolutePath(), command, getLog()::info);
                Recorded.link(traces.toAbsolutePath(), target.toPath());
            }
        } catch (IOException e) {
            throw new MojoExecutionException("jinsi cannot make its reports: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MojoExecutionException("jinsi was interrupted", e);
        }
    }
}
