package chances;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;

/** Does what comes to something else each time, or in each version; and copies out of a large buffer. */
public final class Chances {
    private static int rounds = 3;
    private static Path file;
    private int state;

    private Chances() {
    }

    /** Has another thread change what it makes. */
    private static Chances started() throws InterruptedException {
        Chances chances = new Chances();
        Thread thread = new Thread(() -> chances.state = 1);
        thread.start();
        thread.join();
        return chances;
    }

    /** The first characters, by way of a buffer that is larger than what is kept of arrays. */
    private static char[] read(Reader reader) throws IOException {
        char[] buffer = new char[4096];
        int length = reader.read(buffer);
        char[] text = new char[16];
        System.arraycopy(buffer, 0, text, 0, Math.min(length, text.length));
        return text;
    }

    private static long time() {
        return System.nanoTime();
    }

    private static int members() {
        return Chances.class.getDeclaredFields().length;
    }

    /** Reads a file that is gone afterwards. */
    private static long gone() throws IOException {
        return Files.size(file);
    }

    private static int mean(int sum) {
        return sum / rounds;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        char first = read(new StringReader("read me"))[0];
        boolean later = time() <= time();
        file = Files.createTempFile("chances", ".txt");
        long size = gone();
        Files.delete(file);
        System.out.println(first + " " + later + " " + members() + " " + started().state + size + " " + mean(6));
    }
}
