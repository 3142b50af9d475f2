package jinsi.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentTrialTest {
    @TempDir
    Path directory;

    private String java(String... script) throws IOException {
        Path java = directory.resolve("java");
        Files.write(java, ("#!/bin/sh\n" + String.join("\n", script) + "\n").getBytes());
        assertTrue(java.toFile().setExecutable(true));
        return java.toString();
    }

    private Optional<String> problem(String java) throws InterruptedException {
        return AgentTrial.problem(java, "-agentpath:x", java + Math.random());
    }

    @Test
    void aJvmThatStartsIsFine() throws Exception {
        assertEquals(Optional.empty(), problem(java("[ \"$*\" = '-agentpath:x -version' ]")));
    }

    @Test
    void theAgentSaysBestWhatIsWrong() throws Exception {
        String java = java("echo 'Picked up something' >&2", "echo 'jinsi: config=/a b/trial.options: line 4: a bad option' >&2", "echo 'agent library failed to init' >&2", "exit 1");
        assertEquals(Optional.of("a bad option"), problem(java));
    }

    @Test
    void elseItIsTheLastThatTheJvmSays() throws Exception {
        String java = java("echo 'Error occurred during initialization of VM'", "echo 'wrong ELF class' >&2", "echo", "exit 1");
        assertEquals(Optional.of("wrong ELF class"), problem(java));
        assertEquals(Optional.of("exit status 7"), problem(java("exit 7")));
    }

    @Test
    void noJvmAtAll() throws Exception {
        assertTrue(problem(directory.resolve("none").toString()).isPresent());
    }

    @Test
    void theSameIsTriedOnce() throws Exception {
        String java = java("echo run >>" + directory.resolve("runs"));
        for (int i = 0; i < 2; i++) {
            assertEquals(Optional.empty(), AgentTrial.problem(java, "-agentpath:x", java));
        }
        assertEquals(Arrays.asList("run"), Files.readAllLines(directory.resolve("runs")));
    }
}
