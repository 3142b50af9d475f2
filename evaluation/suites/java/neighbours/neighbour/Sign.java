package neighbour;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The sign that a neighbour was at work: what it puts into the program calls this, which leaves a file. */
public final class Sign {
    /** Names the file; without it, there is nothing to leave. */
    private static final String FILE = System.getProperty("neighbour.sign");

    private static volatile boolean given = FILE == null;

    private Sign() {}

    /** Leaves the file, once. */
    public static void give() {
        if (given) {
            return;
        }
        given = true;
        try {
            Files.writeString(Path.of(FILE), "at work\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
