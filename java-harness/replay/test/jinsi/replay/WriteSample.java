package jinsi.replay;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes the session that the test of the JUnit extension uses as its resource. */
public final class WriteSample {
    private WriteSample() {
    }

    /**
     * Writes the file.
     *
     * @param args its path
     * @throws IOException if it cannot be written
     */
    public static void main(String[] args) throws IOException {
        Files.write(Path.of(args[0]), ScriptTest.session(9));
    }
}
