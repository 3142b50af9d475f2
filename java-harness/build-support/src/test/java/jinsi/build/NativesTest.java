package jinsi.build;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativesTest {
    /** The tests run without the jar. Whoever asks is to learn it by an exception that he expects. */
    @Test
    void whatIsNotPackedCannotBeUnpacked(@TempDir Path directory) {
        assertThrows(IOException.class, () -> Natives.unpack(directory));
    }
}
