package jinsi.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringReader;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import org.apache.maven.model.Build;
import org.apache.maven.model.Model;
import org.apache.maven.model.Plugin;
import org.apache.maven.model.PluginExecution;
import org.apache.maven.project.MavenProject;
import org.codehaus.plexus.util.xml.Xpp3Dom;
import org.codehaus.plexus.util.xml.Xpp3DomBuilder;
import org.codehaus.plexus.util.xml.pull.XmlPullParserException;
import org.junit.jupiter.api.Test;

class TestRunTest {
    private final MavenProject project = new MavenProject(new Model());
    private final Properties properties = new Properties();

    TestRunTest() {
        project.getModel().setBuild(new Build());
    }

    private static Xpp3Dom dom(String elements) {
        try {
            return Xpp3DomBuilder.build(new StringReader("<configuration>" + elements + "</configuration>"));
        } catch (XmlPullParserException | IOException e) {
            throw new IllegalArgumentException(elements, e);
        }
    }

    private Plugin plugin(String artifact, String configuration) {
        Plugin plugin = new Plugin();
        plugin.setGroupId("org.apache.maven.plugins");
        plugin.setArtifactId(artifact);
        plugin.setVersion("3.2.5");
        plugin.setConfiguration(dom(configuration));
        project.getBuild().addPlugin(plugin);
        return plugin;
    }

    private static void execution(Plugin plugin, String id, String goal, String configuration) {
        PluginExecution execution = new PluginExecution();
        execution.setId(id);
        execution.addGoal(goal);
        execution.setConfiguration(dom(configuration));
        plugin.addExecution(execution);
    }

    /** The one execution of a project with this configuration. */
    private TestRun surefire(String configuration) {
        project.getModel().setBuild(new Build());
        execution(plugin("maven-surefire-plugin", ""), "default-test", "test", configuration);
        return TestRun.of(project, properties).get(0);
    }

    @Test
    void executionsThatRunTests() {
        execution(plugin("maven-surefire-plugin", ""), "default-test", "test", "");
        Plugin failsafe = plugin("maven-failsafe-plugin", "");
        execution(failsafe, "it", "integration-test", "");
        execution(failsafe, "check", "verify", "");
        plugin("maven-jar-plugin", "");
        List<String> names = TestRun.of(project, properties).stream().map(TestRun::name).collect(Collectors.toList());
        assertEquals(Arrays.asList("maven-surefire-plugin (default-test)", "maven-failsafe-plugin (it)"), names);
    }

    @Test
    void theTextOfAConfigurationHasAllOfIt() {
        Plugin surefire = plugin("maven-surefire-plugin", "<argLine>-Xss4m</argLine>");
        execution(surefire, "default-test", "test", "<environmentVariables><A>-Xmx1g</A></environmentVariables>");
        String text = TestRun.of(project, properties).get(0).configuration();
        assertTrue(text.contains("-Xss4m") && text.contains("-Xmx1g"), text);
    }

    @Test
    void whatNobodyDefinesIsNotConfigured() {
        String configuration = "<jvm>${test.java}</jvm><forkCount>${test.forks}</forkCount>";
        assertNull(surefire(configuration).jvm());
        assertFalse(surefire(configuration).isInsideMaven());
        project.getModel().addProperty("test.java", "/jdk/bin/java");
        properties.setProperty("test.forks", "0");
        assertEquals("/jdk/bin/java", surefire(configuration).jvm());
        assertTrue(surefire(configuration).isInsideMaven());
    }

    @Test
    void insideMaven() {
        assertTrue(surefire("<forkCount>0</forkCount>").isInsideMaven());
        assertTrue(surefire("<forkMode>never</forkMode>").isInsideMaven());
        assertFalse(surefire("<forkCount>2</forkCount>").isInsideMaven());
        assertFalse(surefire("<forkCount>0.5C</forkCount><forkMode>always</forkMode>").isInsideMaven());
        assertFalse(surefire("").isInsideMaven());
    }

    @Test
    void whatIsConfiguredGoesBeforeTheCommandLine() {
        properties.setProperty("forkCount", "0");
        assertTrue(surefire("").isInsideMaven());
        assertFalse(surefire("<forkCount>1</forkCount>").isInsideMaven());
    }

    @Test
    void thePluginsConfigurationIsThatOfItsExecutions() {
        Plugin plugin = plugin("maven-surefire-plugin", "<jvm>/opt/jdk/bin/java</jvm><argLine>-ea</argLine>");
        execution(plugin, "default-test", "test", "<argLine>-Xmx1g</argLine>");
        TestRun run = TestRun.of(project, properties).get(0);
        assertEquals("/opt/jdk/bin/java", run.jvm());
        assertTrue(run.argLine().withAgent().endsWith(" -Xmx1g"));
    }

    @Test
    void aToolchain() {
        TestRun run = surefire("<jdkToolchain><version>8</version><vendor>x</vendor></jdkToolchain>");
        assertEquals("8", run.toolchain().get("version"));
        assertEquals(2, run.toolchain().size());
        assertEquals(Collections.emptyMap(), surefire("").toolchain());
        assertNull(run.jvm());
    }

    @Test
    void otherArgumentsLeaveTheRestAsItWas() {
        TestRun run = surefire("<skip>false</skip><argLine>-ea</argLine>");
        run.setArgLine(run.argLine().withAgent());
        Xpp3Dom after = (Xpp3Dom) project.getBuild().getPlugins().get(0).getExecutions().get(0).getConfiguration();
        assertEquals("${jinsi.internal.agent} -ea", after.getChild("argLine").getValue());
        assertEquals("false", after.getChild("skip").getValue());
        assertEquals(2, after.getChildCount());
        assertTrue(run.argLine().takes("argLine"));
    }
}
