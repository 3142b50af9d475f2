package jinsi.build;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * How much stack the threads of recorded tests have. Methods with probes take more of it, so a recursion that just fits would overflow. {@code jinsi
 * debug} gives them the same.
 */
public final class StackSize {
    /** Half as much again as a thread has of itself. */
    private static final String MORE = "-Xss1536k";
    /** Somebody has said it, or may have done so in a file. */
    private static final Pattern SET = Pattern.compile("-Xss|ThreadStackSize=|(^|[\\s>\"'])@[\\w./-]+($|[\\s<\"'])");
    /** Where a JVM finds arguments, too. */
    private static final List<String> VARIABLES = Arrays.asList("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS");

    private StackSize() {}

    /**
     * The argument that gives threads more stack; none if somebody has chosen a size.
     *
     * @param texts       where the arguments of the JVM come from
     * @param environment environment variables of the JVM
     */
    public static Optional<String> argument(Collection<String> texts, Map<String, String> environment) {
        Stream<String> variables = VARIABLES.stream().map(environment::get).filter(Objects::nonNull);
        boolean isSet = Stream.concat(variables, texts.stream()).anyMatch(text -> SET.matcher(text).find());
        return isSet ? Optional.empty() : Optional.of(MORE);
    }
}
