package jinsi.replay;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The native library that rewrites classes as they are loaded. It lies beside this class and is loaded once, from a temporary file: a JVM
 * loads no library out of a jar, and none twice from one place.
 */
final class Rewriter {
    private static final String LIBRARY = "linux-x86_64/libjinsi_rewriter.so";

    private Rewriter() {
    }

    /**
     * Answers a question; {@code analysis/rewrite/src/today.rs} says what both look like. Any bytes are answered.
     */
    static native byte[] answer(byte[] question);

    /**
     * Loads the library, unless it is there.
     *
     * @throws IllegalStateException if this machine cannot have it: says why, and what can be done
     */
    static void load() {
        if (Holder.WHY_NOT != null) {
            throw new IllegalStateException(Holder.WHY_NOT);
        }
    }

    private static final class Holder {
        /** Why the library is not loaded; {@code null} if it is. */
        static final String WHY_NOT = whyNot();

        private static String whyNot() {
            String system = System.getProperty("os.name") + " on " + System.getProperty("os.arch");
            boolean known = system.equals("Linux on amd64") || system.equals("Linux on x86_64");
            try (InputStream in = known ? Rewriter.class.getResourceAsStream(LIBRARY) : null) {
                if (in == null) {
                    return missing(known ? "is not beside " + Rewriter.class.getName() : "is not made for " + system);
                }
                Path file = Files.createTempFile("jinsi-rewriter", ".so");
                try {
                    // Into the file that is there: nobody else may write to it.
                    try (OutputStream out = Files.newOutputStream(file)) {
                        in.transferTo(out);
                    }
                    System.load(file.toAbsolutePath().toString());
                } finally {
                    // What is loaded stays.
                    Files.deleteIfExists(file);
                }
                return null;
            } catch (IOException | LinkageError | SecurityException e) {
                return missing("cannot be loaded from " + System.getProperty("java.io.tmpdir") + ": " + e);
            }
        }

        private static String missing(String why) {
            return "the library that has the classes of today run against a recording " + why
                    + ". With @ReplayMode(recorded = true) the recorded classes run, which need no library.";
        }
    }
}
