package jinsi.maven;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.maven.model.ConfigurationContainer;
import org.apache.maven.model.Plugin;
import org.apache.maven.model.PluginExecution;
import org.apache.maven.project.MavenProject;
import org.codehaus.plexus.util.xml.Xpp3Dom;

/** An execution of Surefire or Failsafe that runs tests, as far as a recording depends on how it is configured. */
final class TestRun {
    private static final String GROUP = "org.apache.maven.plugins:";
    private static final String[] PLUGINS = {GROUP + "maven-surefire-plugin", GROUP + "maven-failsafe-plugin"};
    /** A value that is one property and nothing else. */
    private static final Pattern PROPERTY = Pattern.compile("\\$\\{([^{}]+)}");
    private static final List<String> GOALS = Collections.unmodifiableList(Arrays.asList("test", "integration-test"));

    private final Plugin plugin;
    private final PluginExecution execution;
    private final Properties ofProject;
    private final Properties properties;

    private TestRun(Plugin plugin, PluginExecution execution, Properties ofProject, Properties properties) {
        this.plugin = plugin;
        this.execution = execution;
        this.ofProject = ofProject;
        this.properties = properties;
    }

    /**
     * The executions of a project. Failsafe without one runs nothing.
     *
     * @param properties properties of the command line and of the system, which count where nothing is configured
     */
    static List<TestRun> of(MavenProject project, Properties properties) {
        List<TestRun> runs = new ArrayList<>();
        Map<String, Plugin> plugins = project.getBuild().getPluginsAsMap();
        for (String key : PLUGINS) {
            Plugin plugin = plugins.get(key);
            if (plugin != null) {
                plugin.getExecutions().stream()
                        .filter(execution -> execution.getGoals().stream().anyMatch(GOALS::contains))
                        .forEach(execution -> runs.add(new TestRun(plugin, execution, project.getProperties(), properties)));
            }
        }
        return runs;
    }

    /** How Maven names it in its output. */
    String name() {
        return plugin.getArtifactId() + " (" + execution.getId() + ")";
    }

    /** Release of the plugin; null if unknown. */
    String release() {
        return plugin.getVersion();
    }

    /** Its JVM arguments. */
    ArgLine argLine() {
        return new ArgLine(configured("argLine"), properties.getProperty(ArgLine.DEFAULT_PROPERTY));
    }

    /** All that is configured, as text. */
    String configuration() {
        return execution.getConfiguration() + "\n" + plugin.getConfiguration();
    }

    /** Does it run the tests inside Maven's own JVM? No agent can be loaded there. */
    boolean isInsideMaven() {
        String count = value("forkCount");
        String mode = value("forkMode");
        return count != null && count.matches("0+(\\.0*)?C?") || mode != null && mode.matches("(?i)never|none");
    }

    /** The program that starts its JVMs, if one is configured; else null. */
    String jvm() {
        return value("jvm");
    }

    /** What its JDK has to be of those in {@code toolchains.xml}; empty if nothing is configured. */
    Map<String, String> toolchain() {
        Xpp3Dom toolchain = element("jdkToolchain");
        Map<String, String> requirements = new HashMap<>();
        if (toolchain != null) {
            for (Xpp3Dom requirement : toolchain.getChildren()) {
                requirements.put(requirement.getName(), requirement.getValue());
            }
        }
        return requirements;
    }

    /** Gives it other JVM arguments. */
    void setArgLine(String arguments) {
        Object before = execution.getConfiguration();
        Xpp3Dom configuration = before instanceof Xpp3Dom ? new Xpp3Dom((Xpp3Dom) before) : new Xpp3Dom("configuration");
        if (configuration.getChild("argLine") == null) {
            configuration.addChild(new Xpp3Dom("argLine"));
        }
        configuration.getChild("argLine").setValue(arguments);
        execution.setConfiguration(configuration);
    }

    private String value(String name) {
        String configured = configured(name);
        if (configured == null) {
            return properties.getProperty(name);
        }
        Matcher property = PROPERTY.matcher(configured);
        return property.matches() ? defined(property.group(1)) : configured;
    }

    /** The property; null if nobody defines it, and then Maven takes what it names for not configured. So parents let their children choose. */
    private String defined(String property) {
        return properties.getProperty(property, ofProject.getProperty(property));
    }

    /** Text of an element of the configuration; null if it is not there or empty. */
    private String configured(String name) {
        Xpp3Dom element = element(name);
        String text = element == null || element.getValue() == null ? "" : element.getValue().trim();
        return text.isEmpty() ? null : text;
    }

    private Xpp3Dom element(String name) {
        for (ConfigurationContainer container : new ConfigurationContainer[] {execution, plugin}) {
            Object configuration = container.getConfiguration();
            Xpp3Dom element = configuration instanceof Xpp3Dom ? ((Xpp3Dom) configuration).getChild(name) : null;
            if (element != null) {
                return element;
            }
        }
        return null;
    }
}
