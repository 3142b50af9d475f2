package jinsi.maven;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jinsi.build.Message;

/**
 * The JVM arguments of an execution of Surefire or Failsafe, as it is configured, and whether the agent is among them: it is in a
 * property, which the arguments have to name.
 */
final class ArgLine {
    /** The property that Surefire and Failsafe take if nothing is configured. */
    static final String DEFAULT_PROPERTY = "argLine";
    /** The property with nothing but the agent; empty if nothing is recorded. */
    static final String AGENT_PROPERTY = "jinsi.internal.agent";

    private static final Pattern ONE_PROPERTY = Pattern.compile("\\$\\{([\\w.-]+)\\}");

    private final String configured;
    private final String userProperty;

    /**
     * The arguments.
     *
     * @param configured   the element {@code argLine}; null if there is none
     * @param userProperty {@code argLine} of the command line, which goes before the property of the project; null if there is none
     */
    ArgLine(String configured, String userProperty) {
        this.configured = configured;
        this.userProperty = userProperty;
    }

    /** Is an agent in this property among the arguments? */
    boolean takes(String property) {
        if (configured != null) {
            return named(configured, AGENT_PROPERTY) || named(configured, property);
        }
        return property.equals(DEFAULT_PROPERTY) && userProperty == null;
    }

    private static boolean named(String text, String property) {
        return text.contains("@{" + property + "}") || text.contains("${" + property + "}");
    }

    /** The same arguments with the agent before them, as Maven evaluates them when the tests begin; whatever Surefire's release. */
    String withAgent() {
        String others = configured == null ? "${" + DEFAULT_PROPERTY + "}" : configured.trim();
        return "${" + AGENT_PROPERTY + "} " + others;
    }

    /**
     * The property that {@link #withAgent} needs to have a value, empty if need be: an argument that is nothing but a property without value is
     * none, but with the agent before it would be taken by its letters.
     */
    Optional<String> needs() {
        if (configured == null) {
            return Optional.of(DEFAULT_PROPERTY);
        }
        Matcher one = ONE_PROPERTY.matcher(configured.trim());
        return one.matches() ? Optional.of(one.group(1)) : Optional.empty();
    }

    /** How to write the arguments so that they take the agent, in one line; for a release of Surefire, which may be unknown. */
    String advice(String property, String release) {
        String ours = (knowsLateProperties(release) ? "@{" : "${") + property + "}";
        if (configured == null && userProperty != null) {
            return Message.USER_ARG_LINE.with(ours + " " + oneLine(userProperty));
        }
        return Message.ARG_LINE.with((ours + " " + oneLine(configured == null ? "" : configured)).trim());
    }

    /** Surefire replaces <code>@{property}</code> when the tests begin since its release 2.17. */
    private static boolean knowsLateProperties(String release) {
        Matcher two = Pattern.compile("2\\.(\\d+).*").matcher(release == null ? "" : release);
        return !two.matches() || Integer.parseInt(two.group(1)) >= 17;
    }

    private static String oneLine(String text) {
        return text.trim().replaceAll("\\s+", " ");
    }
}
