package jinsi.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import jinsi.build.AgentOptions;
import jinsi.build.Minimizer;
import jinsi.build.Natives;
import jinsi.build.ProjectClasses;
import org.apache.maven.artifact.Artifact;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;

/**
 * Has the tests recorded: sets the property that Surefire and Failsafe take JVM arguments from, so that each JVM which they fork loads
 * the agent and writes a trace of its own. A trace is kept only if a test in it failed.
 */
@Mojo(name = "prepare-agent", defaultPhase = LifecyclePhase.PROCESS_TEST_CLASSES, threadSafe = true)
public final class PrepareAgentMojo extends AbstractMojo {
    private static final String LISTENER = "io.github.jinsi:jinsi-listener";
    /** User property of Surefire and Failsafe that adds to the class path of the tests, joined by commas. */
    private static final String CLASS_PATH = "maven.test.additionalClasspath";

    /** Does nothing if set. */
    @Parameter(property = "jinsi.skip", defaultValue = "false")
    private boolean skip;

    /** Name of the property to set. What it holds already stays, behind the agent. */
    @Parameter(property = "jinsi.propertyName", defaultValue = "argLine")
    private String propertyName;

    /**
     * Classes whose interactions are recorded: patterns over the dotted name, with {@code *} and {@code ?}. Default: the packages of the
     * project's own classes and of its test classes. Name a library here to have a failure inside it minimized.
     */
    @Parameter(property = "jinsi.observe")
    private List<String> observe;

    /** Classes taken out again. */
    @Parameter(property = "jinsi.exclude")
    private List<String> exclude;

    /** Exception classes that count as a failure when thrown, beside failed tests. */
    @Parameter(property = "jinsi.fail")
    private List<String> fail;

    /** Fields and methods whose texts are kept out of traces, as patterns over {@code class.member}. */
    @Parameter(property = "jinsi.redact")
    private List<String> redact;

    /**
     * {@code boundary}: what crosses the edge of the observed classes; a replay computes the rest, if it goes as the tests went.
     * {@code interactions}: all of it, which costs more, for tests of which it does not.
     */
    @Parameter(property = "jinsi.detail", defaultValue = "boundary")
    private String detail;

    /** When a trace is kept: {@code failure} or {@code exit} (always). */
    @Parameter(property = "jinsi.on", defaultValue = "failure")
    private String on;

    /** Size that a trace may reach, such as {@code 500M} or {@code 2G}. What comes later is not recorded. */
    @Parameter(property = "jinsi.maxSize", defaultValue = "4G")
    private String maxSize;

    /** Class files of libraries that a trace keeps at most, in bytes, for where the libraries are missing; {@code 0}: none. */
    @Parameter(property = "jinsi.keepClasses", defaultValue = "64M")
    private String keepClasses;

    /** Where traces and reports go. */
    @Parameter(property = "jinsi.directory", defaultValue = "${project.build.directory}/jinsi")
    private File directory;

    @Parameter(defaultValue = "${project}", readonly = true, required = true)
    private MavenProject project;

    @Parameter(defaultValue = "${session}", readonly = true, required = true)
    private MavenSession session;

    @Parameter(defaultValue = "${plugin.artifactMap}", readonly = true, required = true)
    private Map<String, Artifact> artifacts;

    @Override
    public void execute() throws MojoExecutionException {
        // Where @{argLine} stands, something has to come, whether or not there is an agent.
        project.getProperties().putIfAbsent(propertyName, "");
        if (skip) {
            getLog().info("jinsi is skipped (jinsi.skip)");
            return;
        }
        if (!Natives.areSupported()) {
            getLog().warn("jinsi runs on Linux on x86-64 only; the tests are not recorded");
            return;
        }
        ForkedTests.require(project, session);
        try {
            prepare();
        } catch (IOException e) {
            throw new MojoExecutionException("jinsi cannot prepare the recording: " + e, e);
        }
    }

    private void prepare() throws IOException {
        List<String> classes = observe == null || observe.isEmpty()
                ? projectClasses()
                : observe;
        if (classes.isEmpty()) {
            getLog().info("nothing to record: the project has no classes of its own, and jinsi.observe is not set");
            return;
        }
        Path traces = directory.toPath();
        Natives natives = Natives.unpack(traces.resolve("native"));
        String agent = quoted(options(classes).write(traces, natives));
        Minimizer.removeOlder(traces, session.getStartTime().getTime());
        Properties properties = project.getProperties();
        String before = properties.getProperty(propertyName);
        String after = before == null || before.isEmpty() ? agent : agent + " " + before;
        properties.setProperty(propertyName, after);
        getLog().info(propertyName + " set to " + after);
        String classPath = properties.getProperty(CLASS_PATH);
        String listener = artifacts.get(LISTENER).getFile().getAbsolutePath();
        properties.setProperty(CLASS_PATH, classPath == null ? listener : listener + "," + classPath);
        Recorded.expect(project, traces, natives);
    }

    /** The project's own packages, those of its tests too: their assertions say what should have been. None if it has but tests. */
    private List<String> projectClasses() throws IOException {
        Path own = Path.of(project.getBuild().getOutputDirectory());
        Path tests = Path.of(project.getBuild().getTestOutputDirectory());
        List<String> packages = ProjectClasses.packages(List.of(own));
        return packages.isEmpty() ? packages : ProjectClasses.packages(List.of(own, tests));
    }

    private AgentOptions options(List<String> classes) throws IOException {
        return new AgentOptions()
                .add("observe", classes)
                .add("exclude", exclude == null ? List.of() : exclude)
                .add("fail", fail == null ? List.of() : fail)
                .add("redact", redact == null ? List.of() : redact)
                .add("detail", detail)
                .add("on", on)
                .add("keep-classes", keepClasses)
                .add("max-size", maxSize);
    }

    /** As Surefire takes JVM arguments apart. */
    private static String quoted(String argument) {
        boolean plain = argument.chars().noneMatch(c -> Character.isWhitespace(c) || c == '\'' || c == '"');
        if (plain) {
            return argument;
        }
        return argument.indexOf('"') < 0 ? '"' + argument + '"' : "'" + argument + "'";
    }
}
