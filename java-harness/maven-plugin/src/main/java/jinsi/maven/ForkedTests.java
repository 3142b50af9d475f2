package jinsi.maven;

import org.apache.maven.execution.MavenSession;
import org.apache.maven.model.Plugin;
import org.apache.maven.model.PluginExecution;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.project.MavenProject;
import org.codehaus.plexus.util.xml.Xpp3Dom;

/** Tests have to run in a JVM of their own: an agent is loaded when the JVM starts. */
final class ForkedTests {
    private static final String GROUP = "org.apache.maven.plugins:";
    static final String SUREFIRE = GROUP + "maven-surefire-plugin";
    private static final String FAILSAFE = GROUP + "maven-failsafe-plugin";

    private ForkedTests() {}

    /** Refuses a build that runs tests inside Maven's own JVM. */
    static void require(MavenProject project, MavenSession session) throws MojoExecutionException {
        refuse("-DforkCount", session.getUserProperties().getProperty("forkCount"));
        refuse("-DforkMode", session.getUserProperties().getProperty("forkMode"));
        for (String key : new String[] {SUREFIRE, FAILSAFE}) {
            Plugin plugin = project.getBuild().getPluginsAsMap().get(key);
            if (plugin == null) {
                continue;
            }
            refuse(plugin.getArtifactId(), plugin.getConfiguration());
            for (PluginExecution execution : plugin.getExecutions()) {
                refuse(plugin.getArtifactId() + " (" + execution.getId() + ")", execution.getConfiguration());
            }
        }
    }

    private static void refuse(String where, Object configuration) throws MojoExecutionException {
        if (configuration instanceof Xpp3Dom) {
            for (String name : new String[] {"forkCount", "forkMode"}) {
                Xpp3Dom child = ((Xpp3Dom) configuration).getChild(name);
                refuse(where + ": " + name, child == null ? null : child.getValue());
            }
        }
    }

    private static void refuse(String where, String value) throws MojoExecutionException {
        if (value != null && (value.trim().equals("0") || value.trim().equals("never"))) {
            throw new MojoExecutionException(where + " is " + value.trim() + ": the tests would run inside Maven's own JVM,"
                    + " into which no agent can be loaded. Set forkCount to 1 or more, or skip jinsi with -Djinsi.skip");
        }
    }
}
