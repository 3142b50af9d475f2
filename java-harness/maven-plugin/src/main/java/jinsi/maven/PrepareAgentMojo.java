package jinsi.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;
import jinsi.build.AgentOptions;
import jinsi.build.Message;
import jinsi.build.Minimizer;
import jinsi.build.Natives;
import jinsi.build.ProjectClasses;
import jinsi.build.StackSize;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugins.annotations.Component;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;
import org.apache.maven.toolchain.ToolchainManager;

/**
 * Has the tests recorded: sets the property that Surefire and Failsafe take JVM arguments from, so that each JVM which they fork loads
 * the agent and writes a trace of its own. A trace is kept only if a test in it failed.
 */
@Mojo(name = "prepare-agent", defaultPhase = LifecyclePhase.PROCESS_TEST_CLASSES, threadSafe = true)
public final class PrepareAgentMojo extends AbstractMojo {
    /** Does nothing if set. */
    @Parameter(property = "jinsi.skip", defaultValue = "false")
    private boolean skip;

    /** Name of the property to set. What it holds already stays, behind the agent. */
    @Parameter(property = "jinsi.propertyName", defaultValue = "argLine")
    private String propertyName;

    /**
     * Classes whose interactions are recorded: patterns over the dotted name, with {@code *} and {@code ?}. Default: the packages of the
     * module's classes and test classes, and of those of the modules of this build that it depends on. Name a library here to have a
     * failure inside it minimized.
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

    /**
     * A failed test is run a second time, alone and with all interactions recorded, where its {@code boundary} recording gives no test to keep:
     * at most ten tests, a minute each and five minutes in all.
     */
    @Parameter(property = "jinsi.secondTry", defaultValue = "true")
    private boolean secondTry;

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

    @Component
    private ToolchainManager toolchains;

    @Override
    public void execute() {
        // Where @{argLine} stands, something has to come, whether or not there is an agent.
        ProjectProperties.define(project, propertyName);
        if (skip) {
            getLog().info(Message.SKIPPED.line());
            return;
        }
        Properties properties = CommandLine.properties(session);
        if (CommandLine.isSet(properties, "maven.test.skip") || CommandLine.isSet(properties, "skipTests")) {
            return;
        }
        try {
            prepare(TestRun.of(project, properties));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException | LinkageError e) {
            // A build is not to fail because of what only looks at it.
            notRecorded(Message.NOT_PREPARED.with(e));
        }
    }

    private void prepare(List<TestRun> runs) throws IOException, InterruptedException {
        if (!Natives.areSupported()) {
            notRecorded(Message.OTHER_SYSTEM.with());
            return;
        }
        List<String> classes = observe == null || observe.isEmpty()
                ? ProjectClasses.packages(ReactorClasses.directories(project, session.getAllProjects()))
                : observe;
        if (classes.isEmpty()) {
            getLog().debug(Message.NOTHING_TO_RECORD.with());
            return;
        }
        List<TestRun> forked = runs.stream().filter(run -> !run.isInsideMaven()).collect(Collectors.toList());
        runs.stream().filter(TestRun::isInsideMaven).forEach(run -> notRecorded(run, Message.INSIDE_MAVEN.with()));
        if (forked.isEmpty() && !runs.isEmpty()) {
            return;
        }
        Path traces = directory.toPath();
        Natives natives = Natives.unpack(traces.resolve("native"));
        AgentOptions options = options(classes);
        for (TestRun run : forked) {
            String java = TestJvm.of(run, toolchains, session);
            Optional<String> problem = options.problem(java, traces, natives);
            if (problem.isPresent()) {
                // All executions share the property.
                notRecorded(Message.NO_START.with(java, problem.get()));
                return;
            }
        }
        set(options.write(traces, natives), stackSize(forked));
        Minimizer.removeOlder(traces, session.getStartTime().getTime());
        Recorded.expect(project, traces, natives, Minimizer.options(secondTry));
        getLog().info(Message.RECORDS.line(String.join(", ", classes)));
        for (TestRun run : forked) {
            if (!run.argLine().takes(propertyName)) {
                notRecorded(run, run.argLine().advice(propertyName, run.release()));
            }
        }
    }

    /** Puts the agent where the tests' JVM arguments take it from. */
    private void set(String agent, Optional<String> stackSize) {
        String argument = quoted(agent) + stackSize.map(size -> " " + size).orElse("");
        Properties properties = project.getProperties();
        String before = properties.getProperty(propertyName, "");
        properties.setProperty(propertyName, before.isEmpty() ? argument : argument + " " + before);
        if (properties.getProperty(ArgLine.AGENT_PROPERTY) != null) {
            properties.setProperty(ArgLine.AGENT_PROPERTY, argument);
        }
        getLog().debug(propertyName + " set to " + properties.getProperty(propertyName));
    }

    /** The arguments may be put together of any property, so all of them are looked at. */
    private Optional<String> stackSize(List<TestRun> runs) {
        List<String> texts = runs.stream().map(TestRun::configuration).collect(Collectors.toList());
        for (Properties properties : new Properties[] {project.getProperties(), session.getUserProperties()}) {
            properties.stringPropertyNames().forEach(name -> texts.add(properties.getProperty(name)));
        }
        return StackSize.argument(texts, System.getenv());
    }

    private void notRecorded(TestRun run, String why) {
        notRecorded(run.name() + ": " + why);
    }

    private void notRecorded(String why) {
        getLog().warn(Message.NOT_RECORDED.line(why));
        Recorded.without(project, why);
    }

    private AgentOptions options(List<String> classes) {
        return new AgentOptions()
                .add("observe", classes)
                .add("exclude", given(exclude))
                .add("fail", given(fail))
                .add("redact", given(redact))
                .add("detail", detail)
                .add("on", on)
                .add("keep-classes", keepClasses)
                .add("max-size", maxSize);
    }

    private static Collection<String> given(List<String> values) {
        return values == null ? Collections.emptyList() : values;
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
