package jinsi.replay;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes the session that the tests of the JUnit extension use as their resources. */
public final class WriteSample {
    private WriteSample() {
    }

    /**
     * Writes the files.
     *
     * @param args their paths
     * @throws IOException if one cannot be written
     */
    public static void main(String[] args) throws IOException {
        for (String path : args) {
            Files.write(Path.of(path), ScriptTest.session(9));
        }
    }
}
