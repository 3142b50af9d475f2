package classes;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;

/**
 * Times ASM: reading and writing with computed maximums, nothing else. Takes names of bundles from standard input, one a line; for each
 * prints the bytes of the classes it can read and the nanoseconds of one pass over them, the second: the first is to warm up.
 */
final class AsmPass {
    private static int written;

    private AsmPass() {}

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            List<Bundle.Entry> entries = Bundle.read(Path.of(line));
            entries.removeIf(entry -> !pass(entry.bytes()));
            long bytes = 0;
            long start = System.nanoTime();
            for (Bundle.Entry entry : entries) {
                pass(entry.bytes());
                bytes += entry.bytes().length;
            }
            long took = System.nanoTime() - start;
            System.out.println(bytes + "\t" + took);
        }
        System.err.println(written);
    }

    /** Reads and writes a class; false if ASM cannot. */
    private static boolean pass(byte[] bytes) {
        try {
            ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
            new ClassReader(bytes).accept(writer, 0);
            written += writer.toByteArray().length;
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }
}
