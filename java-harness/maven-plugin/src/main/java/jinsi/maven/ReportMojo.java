package jinsi.maven;

import java.io.File;
import java.io.IOException;
import jinsi.build.Message;
import jinsi.build.Minimizer;
import jinsi.build.Natives;
import org.apache.maven.plugin.AbstractMojo;
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

    /** A failed test is run a second time where its recording gives no test to keep; see {@code prepare-agent}. */
    @Parameter(property = "jinsi.secondTry", defaultValue = "true")
    private boolean secondTry;

    /** Where the traces are and the reports go. */
    @Parameter(property = "jinsi.directory", defaultValue = "${project.build.directory}/jinsi")
    private File directory;

    /** Where Surefire and Failsafe have their reports. */
    @Parameter(defaultValue = "${project.build.directory}", readonly = true)
    private File target;

    @Override
    public void execute() {
        if (skip || !Natives.areSupported()) {
            return;
        }
        try {
            if (!Minimizer.traces(directory.toPath()).isEmpty()) {
                CommandOutput output = new CommandOutput(!getLog().isInfoEnabled(), getLog()::info, getLog()::error);
                Recorded.in(directory.toPath(), Minimizer.options(secondTry)).report(target.toPath(), output);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException e) {
            // A build is not to fail because of what only looks at it.
            getLog().warn(Message.NOT_REPORTED.line(e));
        }
    }
}
