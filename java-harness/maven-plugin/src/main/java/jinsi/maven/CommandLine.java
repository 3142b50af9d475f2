package jinsi.maven;

import java.util.Properties;
import org.apache.maven.execution.MavenSession;

/** What was said when Maven was started, which goes before the properties of a project. */
final class CommandLine {
    private CommandLine() {}

    /** Properties of the system, and over them those of the command line, as Maven joins them when it configures a goal. */
    static Properties properties(MavenSession session) {
        Properties all = new Properties();
        all.putAll(session.getSystemProperties());
        all.putAll(session.getUserProperties());
        return all;
    }

    /** Is a switch on? It is by its name alone, too. */
    static boolean isSet(Properties properties, String name) {
        String value = properties.getProperty(name);
        return value != null && (value.isEmpty() || value.equals("true"));
    }
}
