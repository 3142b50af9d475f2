package jinsi.maven;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import javax.inject.Inject;
import javax.inject.Named;
import javax.inject.Singleton;
import jinsi.build.Message;
import org.apache.maven.AbstractMavenLifecycleParticipant;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.model.Plugin;
import org.apache.maven.model.PluginExecution;
import org.apache.maven.project.MavenProject;
import org.codehaus.plexus.logging.Logger;
import org.codehaus.plexus.util.xml.Xpp3Dom;

/**
 * What the plugin does if it is declared with {@code <extensions>true</extensions>}: it prepares the agent without an execution that says
 * so, adds it to JVM arguments that do not take it by themselves, and makes the reports when the session ends, whether or not its tests
 * failed. It throws nothing: a build is not to fail because of what only looks at it.
 */
@Named("jinsi")
@Singleton
public final class SessionEnd extends AbstractMavenLifecycleParticipant {
    private static final String PLUGIN = "io.github.jinsi:jinsi-maven-plugin";
    private static final String PREPARE = "prepare-agent";
    private static final String PREFIX = "[jinsi] ";

    private final Logger log;

    @Inject
    SessionEnd(Logger log) {
        this.log = log;
    }

    @Override
    public void afterProjectsRead(MavenSession session) {
        Properties properties = CommandLine.properties(session);
        for (MavenProject project : session.getProjects()) {
            try {
                Plugin own = project.getBuild().getPluginsAsMap().get(PLUGIN);
                if (own != null && own.isExtensions()) {
                    prepareAgent(own);
                    addAgent(project, own, properties);
                }
            } catch (RuntimeException e) {
                log.warn(Message.NOT_RECORDED_OF.line(project.getArtifactId(), e));
            }
        }
    }

    /** Has the goal executed, if the pom does not say so. */
    private static void prepareAgent(Plugin own) {
        if (own.getExecutions().stream().noneMatch(e -> e.getGoals().contains(PREPARE))) {
            PluginExecution execution = new PluginExecution();
            execution.setId("default-" + PREPARE);
            execution.addGoal(PREPARE);
            execution.setConfiguration(own.getConfiguration());
            own.addExecution(execution);
        }
    }

    /** Puts the agent's property before JVM arguments that would leave the agent out. It is empty until the agent is prepared. */
    private static void addAgent(MavenProject project, Plugin own, Properties properties) {
        if (isSkipped(own, properties)) {
            return;
        }
        String property = setting(own, properties, "propertyName", ArgLine.DEFAULT_PROPERTY);
        for (TestRun run : TestRun.of(project, properties)) {
            ArgLine arguments = run.argLine();
            if (!run.isInsideMaven() && !arguments.takes(property)) {
                ProjectProperties.define(project, ArgLine.AGENT_PROPERTY);
                arguments.needs().ifPresent(needed -> ProjectProperties.define(project, needed));
                run.setArgLine(arguments.withAgent());
            }
        }
    }

    private static boolean isSkipped(Plugin own, Properties properties) {
        String skip = setting(own, properties, "skip", "false");
        return skip.isEmpty() || skip.equals("true");
    }

    /** A setting of the plugin: as configured, or of the command line. */
    private static String setting(Plugin own, Properties properties, String name, String otherwise) {
        Object configuration = own.getConfiguration();
        Xpp3Dom element = configuration instanceof Xpp3Dom ? ((Xpp3Dom) configuration).getChild(name) : null;
        if (element != null && element.getValue() != null) {
            return element.getValue().trim();
        }
        return properties.getProperty("jinsi." + name, otherwise);
    }

    @Override
    public void afterSessionEnd(MavenSession session) {
        Map<String, Path> pages = new LinkedHashMap<>();
        for (MavenProject project : session.getProjects()) {
            try {
                report(project, session).ifPresent(page -> pages.put(project.getArtifactId(), page));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (IOException | RuntimeException e) {
                log.warn(Message.NOT_REPORTED_OF.line(project.getArtifactId(), e));
            }
        }
        if (pages.size() > 1) {
            log.info(Message.MINIMAL_TESTS.line());
            pages.forEach((module, page) -> log.info(PREFIX + "  " + module + "  " + page.toUri()));
        }
    }

    /** The page over the module's failed tests, which is made now. If nothing was recorded of them, that is said. */
    private Optional<Path> report(MavenProject project, MavenSession session) throws IOException, InterruptedException {
        Optional<Recorded> recorded = Recorded.of(project);
        Optional<String> whyNot = Recorded.whyNot(project);
        Path target = Paths.get(project.getBuild().getDirectory());
        if (recorded.isPresent() && recorded.get().isThere()) {
            return recorded.get().report(target, new CommandOutput(!log.isInfoEnabled(), log::info, log::error));
        }
        if ((recorded.isPresent() || whyNot.isPresent()) && FailedTests.in(target, session.getStartTime().getTime())) {
            String why = whyNot.orElse(Message.NO_TRACE.with());
            log.warn(Message.FAILED_UNRECORDED.line(project.getArtifactId(), why));
        }
        return Optional.empty();
    }
}
