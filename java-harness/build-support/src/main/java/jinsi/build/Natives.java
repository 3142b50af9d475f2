package jinsi.build;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.zip.ZipEntry;

/** The agent and the command that this artifact carries, unpacked once a user and version. */
public final class Natives {
    private static final String AGENT = "libjinsi.so";
    private static final String COMMAND = "jinsi";
    private static final String[] FILES = {AGENT, COMMAND};

    private final Path directory;

    private Natives(Path directory) {
        this.directory = directory;
    }

    /** Can the natives run here? */
    public static boolean areSupported() {
        String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        String machine = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        return system.equals("linux") && (machine.equals("amd64") || machine.equals("x86_64"));
    }

    /**
     * Unpacks them into the user's cache directory, or finds them there. The directory's name tells the contents, so that versions
     * stand beside each other and builds running at the same time find the same files.
     *
     * @param otherwise a directory for them if the user's cannot be written
     */
    public static Natives unpack(Path otherwise) throws IOException {
        StringBuilder name = new StringBuilder();
        for (String file : FILES) {
            ZipEntry entry = entry(file);
            name.append(String.format("%08x%08x", entry.getCrc(), entry.getSize()));
        }
        try {
            return new Natives(into(cache().resolve(name.toString())));
        } catch (IOException e) {
            return new Natives(into(otherwise.resolve(name.toString())));
        }
    }

    /** The agent's library. */
    public Path agent() {
        return directory.resolve(AGENT);
    }

    /** The command {@code jinsi}. */
    public Path command() {
        return directory.resolve(COMMAND);
    }

    private static Path cache() {
        String set = System.getenv("XDG_CACHE_HOME");
        Path base = set == null || set.isEmpty() ? Paths.get(System.getProperty("user.home"), ".cache") : Paths.get(set);
        return base.resolve("jinsi");
    }

    /** Puts into the directory what of them is not there. A file comes there whole or not at all, also if two builds do this at a time. */
    private static Path into(Path directory) throws IOException {
        Files.createDirectories(directory);
        for (String name : FILES) {
            Path file = directory.resolve(name);
            if (Files.isExecutable(file) && Files.size(file) == entry(name).getSize()) {
                continue;
            }
            Path unpacked = Files.createTempFile(directory, name, ".unpacking");
            try (InputStream in = resource(name).openStream()) {
                Files.copy(in, unpacked, StandardCopyOption.REPLACE_EXISTING);
                if (!unpacked.toFile().setExecutable(true, true)) {
                    throw new IOException(Message.NOT_EXECUTABLE.with(unpacked));
                }
                Files.move(unpacked, file, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(unpacked);
            }
        }
        return directory;
    }

    private static URL resource(String file) throws IOException {
        URL url = Natives.class.getResource("/jinsi/native/linux-x86_64/" + file);
        if (url == null) {
            throw new IOException(Message.NOT_PACKED.with(file));
        }
        return url;
    }

    private static ZipEntry entry(String file) throws IOException {
        URLConnection connection = resource(file).openConnection();
        if (!(connection instanceof JarURLConnection)) {
            throw new IOException(Message.NOT_IN_JAR.with(connection.getURL()));
        }
        return ((JarURLConnection) connection).getJarEntry();
    }
}
