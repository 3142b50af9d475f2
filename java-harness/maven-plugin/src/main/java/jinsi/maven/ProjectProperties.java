package jinsi.maven;

import java.util.Properties;
import org.apache.maven.project.MavenProject;

/** Properties of a project that have to have a value, because arguments name them. */
final class ProjectProperties {
    private ProjectProperties() {}

    /** Gives a property an empty value, unless it has one. Maven 4 sees only what comes by {@code setProperty}. */
    static void define(MavenProject project, String name) {
        Properties properties = project.getProperties();
        if (properties.getProperty(name) == null) {
            properties.setProperty(name, "");
        }
    }
}
