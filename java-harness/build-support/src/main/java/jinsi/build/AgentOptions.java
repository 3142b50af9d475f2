package jinsi.build;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** What the agent of a test JVM is told, in a file: JVM arguments can neither be long nor hold commas. */
public final class AgentOptions {
    private static final String FILE = "agent.options";

    private final List<String> lines = new ArrayList<>();

    /** Adds an option once for each value. */
    public AgentOptions add(String key, Collection<String> values) {
        values.forEach(value -> lines.add(key + "=" + value));
        return this;
    }

    /** Adds an option. */
    public AgentOptions add(String key, String value) {
        return add(key, List.of(value));
    }

    /**
     * Writes the options into a directory, which is made if need be and in which each JVM will leave its trace.
     *
     * @return the argument for the JVM
     */
    public String write(Path directory, Natives natives) throws IOException {
        Path absolute = directory.toAbsolutePath();
        Files.createDirectories(absolute);
        List<String> all = new ArrayList<>(lines);
        all.add("out=" + absolute.toString().replace("%", "%%") + "/test-%p" + Minimizer.TRACE);
        Path file = absolute.resolve(FILE);
        Files.write(file, all);
        return "-agentpath:" + natives.agent() + "=config=" + file;
    }
}
