package jinsi.replay;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * The interactions of a session that are in files of their own, a stretch after the other. They are read by a thread that does nothing else: the JVM draws
 * identity hash codes thread by thread, and those of the test must be the ones that it would draw if there were no files.
 */
final class Stretches {
    private final List<String> files;
    private final BlockingQueue<Read> read = new ArrayBlockingQueue<>(1);

    /** What was read: a table, or why not. */
    private static final class Read {
        final InteractionTable table;
        final IOException failed;

        Read(InteractionTable table, IOException failed) {
            this.table = table;
            this.failed = failed;
        }
    }

    /** Begins to read the files of a session; call it in another thread than the test's. */
    Stretches(Session session) {
        files = session.stretches;
        if (!files.isEmpty()) {
            Thread reader = new Thread(this::readAll, "stretches");
            reader.setDaemon(true);
            reader.start();
        }
    }

    /** How many there are. */
    int count() {
        return files.size();
    }

    /**
     * The next one, for each of them once.
     *
     * @throws IOException if it cannot be read, or is damaged
     */
    InteractionTable next() throws IOException {
        try {
            Read next = read.take();
            if (next.failed != null) {
                throw next.failed;
            }
            return next.table;
        } catch (InterruptedException e) {
            throw new IOException("interrupted", e);
        }
    }

    private void readAll() {
        try {
            for (String file : files) {
                read.put(read(file));
            }
        } catch (InterruptedException e) {
            // Nobody interrupts it but a JVM that ends.
        }
    }

    private static Read read(String file) {
        try {
            return new Read(SessionReader.readStretch(Files.readAllBytes(Path.of(file))), null);
        } catch (IOException e) {
            return new Read(null, e);
        }
    }
}
