package jinsi.build;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The options of the agent of a test JVM, in a file: JVM arguments can neither be long nor hold commas. */
public final class AgentOptions {
    private static final String FILE = "agent.options";
    private static final String TRIAL = "trial.options";
    /** A pattern that stands for a package or a class, as {@link ProjectClasses} makes them. */
    private static final String PLAIN_PATTERN = "observe=[\\p{javaJavaIdentifierPart}.]+(\\.\\*)?";

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
        return add(key, Collections.singletonList(value));
    }

    /**
     * Writes the options into a directory, which is made if need be and in which each JVM will leave its trace.
     *
     * @return the argument for the JVM
     */
    public String write(Path directory, Natives natives) throws IOException {
        Path absolute = directory.toAbsolutePath();
        List<String> all = new ArrayList<>(lines);
        all.add("out=" + escaped(absolute) + "/test-%p" + Minimizer.TRACE);
        return argument(absolute.resolve(FILE), all, natives);
    }

    /**
     * Tries the options in a JVM that does nothing, before the JVMs of the tests get them: an agent that cannot be loaded, or does not
     * take its options, would keep those from starting.
     *
     * @param java the program that starts the tests' JVMs
     * @return why that JVM does not start with the agent; nothing if it does
     */
    public Optional<String> problem(String java, Path directory, Natives natives) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(lines);
        // The trial does not fail, and so leaves no trace, whatever the options say.
        all.removeIf(line -> line.startsWith("on="));
        all.add("on=failure");
        String known = java + "\n" + natives.agent() + "\n" + all.stream().filter(line -> !line.matches(PLAIN_PATTERN)).collect(Collectors.joining("\n"));
        Path absolute = directory.toAbsolutePath();
        Path file = absolute.resolve(TRIAL);
        all.add("out=" + escaped(absolute) + "/trial-%p");
        String argument = argument(file, all, natives);
        try {
            return AgentTrial.problem(java, argument, known);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private static String escaped(Path directory) {
        return directory.toString().replace("%", "%%");
    }

    private static String argument(Path file, List<String> options, Natives natives) throws IOException {
        privateDirectory(file.getParent());
        // Traces are their owner's only, and so is what else is here.
        if (!Files.exists(file)) {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(FILE_MODE));
        }
        Files.setPosixFilePermissions(file, FILE_MODE);
        Files.write(file, options);
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
