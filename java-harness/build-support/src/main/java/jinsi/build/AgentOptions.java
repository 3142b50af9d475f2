package jinsi.build;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** What the agent of a test JVM is told, in a file: JVM arguments can neither be long nor hold commas. */
public final class AgentOptions {
    private static final String FILE = "agent.options";

    private static final Set<PosixFilePermission> FILE_MODE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> DIRECTORY_MODE = PosixFilePermissions.fromString("rwx------");

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
        privateDirectory(absolute);
        List<String> all = new ArrayList<>(lines);
        all.add("out=" + absolute.toString().replace("%", "%%") + "/test-%p" + Minimizer.TRACE);
        Path file = absolute.resolve(FILE);
        // Traces are their owner's only, and so is what else is here.
        if (!Files.exists(file)) {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(FILE_MODE));
        }
        Files.setPosixFilePermissions(file, FILE_MODE);
        Files.write(file, all);
        return "-agentpath:" + natives.agent() + "=config=" + file;
    }

    /** Makes a directory that only its owner can look into; those above it, such as that of the build, are none of ours. */
    private static void privateDirectory(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            return;
        }
        Files.createDirectories(directory.getParent());
        try {
            Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(DIRECTORY_MODE));
        } catch (FileAlreadyExistsException e) {
            // Another module of the build was faster.
        }
    }
}
