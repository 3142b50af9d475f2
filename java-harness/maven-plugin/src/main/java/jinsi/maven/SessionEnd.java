package jinsi.maven;

import java.io.IOException;
import javax.inject.Inject;
import javax.inject.Named;
import javax.inject.Singleton;
import org.apache.maven.AbstractMavenLifecycleParticipant;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.model.Dependency;
import org.apache.maven.model.Plugin;
import org.apache.maven.model.PluginExecution;
import org.apache.maven.project.MavenProject;
import org.codehaus.plexus.logging.Logger;
import org.codehaus.plexus.util.xml.Xpp3Dom;

/**
 * What the plugin does if it is declared with {@code <extensions>true</extensions>}: it prepares the agent without an execution that says
 * so, names the listener to JUnit 4, and makes the reports when the session ends, whether or not its tests failed.
 */
@Named("jinsi")
@Singleton
public final class SessionEnd extends AbstractMavenLifecycleParticipant {
    private static final String PLUGIN = "io.github.jinsi:jinsi-maven-plugin";
    private static final String PREPARE = "prepare-agent";
    private static final String JUNIT4_LISTENER = "jinsi.listener.JUnit4Listener";

    private final Logger log;

    @Inject
    SessionEnd(Logger log) {
        this.log = log;
    }

    @Override
    public void afterProjectsRead(MavenSession session) {
        for (MavenProject project : session.getProjects()) {
            Plugin own = project.getBuild().getPluginsAsMap().get(PLUGIN);
            if (own == null || !own.isExtensions()) {
                continue;
            }
            if (own.getExecutions().stream().noneMatch(e -> e.getGoals().contains(PREPARE))) {
                PluginExecution execution = new PluginExecution();
                execution.setId("default-" + PREPARE);
                execution.addGoal(PREPARE);
                execution.setConfiguration(own.getConfiguration());
                own.addExecution(execution);
            }
            Plugin surefire = project.getBuild().getPluginsAsMap().get(ForkedTests.SUREFIRE);
            if (surefire != null && runsJUnit4Alone(project)) {
                surefire.setConfiguration(withListener(surefire.getConfiguration()));
                surefire.getExecutions().forEach(e -> e.setConfiguration(withListener(e.getConfiguration())));
            }
        }
    }

    @Override
    public void afterSessionEnd(MavenSession session) {
        for (MavenProject project : session.getProjects()) {
            try {
                Recorded.report(project, line -> log.info("[jinsi] " + line));
            } catch (IOException e) {
                log.warn("jinsi cannot make the reports of " + project.getArtifactId() + ": " + e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** Will Surefire run the tests with JUnit 4 itself? It takes the JUnit Platform, or TestNG, if there is a dependency that says so. */
    private static boolean runsJUnit4Alone(MavenProject project) {
        boolean junit4 = false;
        for (Dependency dependency : project.getDependencies()) {
            String group = dependency.getGroupId();
            if (group.startsWith("org.junit.") || group.equals("org.testng")) {
                return false;
            }
            junit4 |= group.equals("junit");
        }
        return junit4;
    }

    /** Surefire's configuration with our listener beside those that are there. */
    private static Xpp3Dom withListener(Object before) {
        Xpp3Dom configuration = before instanceof Xpp3Dom ? new Xpp3Dom((Xpp3Dom) before) : new Xpp3Dom("configuration");
        Xpp3Dom properties = child(configuration, "properties");
        for (Xpp3Dom property : properties.getChildren("property")) {
            if ("listener".equals(text(property.getChild("name")))) {
                Xpp3Dom value = child(property, "value");
                String others = text(value);
                value.setValue(others.isEmpty() ? JUNIT4_LISTENER : others + "," + JUNIT4_LISTENER);
                return configuration;
            }
        }
        Xpp3Dom property = new Xpp3Dom("property");
        child(property, "name").setValue("listener");
        child(property, "value").setValue(JUNIT4_LISTENER);
        properties.addChild(property);
        return configuration;
    }

    private static Xpp3Dom child(Xpp3Dom of, String name) {
        Xpp3Dom child = of.getChild(name);
        if (child == null) {
            child = new Xpp3Dom(name);
            of.addChild(child);
        }
        return child;
    }

    private static String text(Xpp3Dom element) {
        return element == null || element.getValue() == null ? "" : element.getValue().trim();
    }
}
