package jinsi.build;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Whether a JVM starts with the agent. It is tried, because it depends on too much to be foretold: the release of the JVM, its maker,
 * its word size, the C library of the system, whether the place of the agent may hold programs.
 */
final class AgentTrial {
    /** Seconds that the trial may take; it takes less than one. */
    private static final long LIMIT = 30;
    /** How the agent's own messages begin. */
    private static final String OURS = "jinsi: ";
    /** Outcomes of this process, in which there are many modules with the same JVM and options. */
    private static final Map<String, Optional<String>> KNOWN = new ConcurrentHashMap<>();

    private AgentTrial() {}

    /**
     * Tries it, unless that was done before.
     *
     * @param known what the outcome depends on
     * @return why it does not start, in one line; nothing if it does
     */
    static Optional<String> problem(String java, String argument, String known) throws InterruptedException {
        Optional<String> earlier = KNOWN.get(known);
        if (earlier != null) {
            return earlier;
        }
        Optional<String> now;
        try {
            now = run(java, argument);
        } catch (IOException e) {
            now = Optional.of(e.getMessage());
        }
        KNOWN.put(known, now);
        return now;
    }

    private static Optional<String> run(String java, String argument) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(java, argument, "-version").redirectErrorStream(true).start();
        process.getOutputStream().close();
        Thread watch = new Thread(() -> endIfLate(process), "jinsi: trial of " + java);
        watch.setDaemon(true);
        watch.start();
        List<String> said;
        InputStreamReader text = new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8);
        try (BufferedReader lines = new BufferedReader(text)) {
            said = lines.lines().filter(line -> !line.trim().isEmpty()).collect(Collectors.toList());
        }
        int status = process.waitFor();
        return status == 0 ? Optional.empty() : Optional.of(reason(said, status));
    }

    private static void endIfLate(Process process) {
        try {
            if (!process.waitFor(LIMIT, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
        }
    }

    /** What the agent says, or else the last that the JVM says: its first line tells only that it does not start. */
    private static String reason(List<String> said, int status) {
        Optional<String> ours = said.stream().filter(line -> line.startsWith(OURS)).findFirst();
        if (ours.isPresent()) {
            // The file with the options is gone by then.
            return ours.get().substring(OURS.length()).replaceFirst("^config=.*?: line \\d+: ", "");
        }
        return said.isEmpty() ? "exit status " + status : said.get(said.size() - 1).trim();
    }
}
