package jinsi.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MinimizerTest {
    @TempDir
    Path directory;

    /** What is printed by a command that only prints its arguments. */
    private List<String> printed() throws IOException, InterruptedException {
        Path command = directory.resolve("command");
        Files.write(command, Arrays.asList("#!/bin/sh", "echo \"$@\""));
        assertTrue(command.toFile().setExecutable(true));
        List<String> printed = new ArrayList<>();
        Minimizer.make(directory, command, Minimizer.options(true), printed::add);
        return printed;
    }

    @Test
    void aSearchEndsBeforeItsCommandIsEnded() throws IOException, InterruptedException {
        Files.createFile(directory.resolve("test-7.jinsi"));
        List<String> printed = printed();
        assertEquals(2, printed.size());
        assertTrue(printed.get(1).contains(" --budget 900 ") && printed.get(1).endsWith("test-7.jinsi"), printed.get(1));
    }

    @Test
    void withoutATraceNothingRuns() throws IOException, InterruptedException {
        assertEquals(Collections.emptyList(), printed());
    }

    @Test
    void whatACommandLeftIsRemoved() throws IOException {
        Path own = directory.resolve("jinsi-report");
        Files.createDirectories(own.resolve("tests"));
        Path other = Files.createDirectory(directory.resolve("other"));
        Minimizer.removeOlder(directory, System.currentTimeMillis() + 60_000);
        assertTrue(Files.notExists(own) && Files.exists(other));
    }
}
