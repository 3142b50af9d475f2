package compiling;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * Eclipse's compiler compiles a source tree.
 *
 * <p>Arguments: how often, and the directory of the sources. The class files go to {@code compiled} in the working directory. Prints
 * {@code work-ns N} and {@code checksum N}, the latter of all class files.
 */
public final class Main {
    private Main() {
    }

    public static void main(String[] args) throws IOException {
        int rounds = Integer.parseInt(args[0]);
        Path out = Paths.get("compiled");
        List<String> options = new ArrayList<>(List.of("-source", "11", "-target", "11", "-nowarn", "-proc:none", "-g", "-d",
            out.toString()));
        for (Path source : below(Paths.get(args[1]), ".java")) {
            options.add(source.toString());
        }
        long start = System.nanoTime();
        for (int round = 0; round < rounds; round++) {
            StringWriter said = new StringWriter();
            PrintWriter writer = new PrintWriter(said);
            boolean compiled = new org.eclipse.jdt.internal.compiler.batch.Main(writer, writer, false, null, null)
                .compile(options.toArray(new String[0]));
            if (!compiled) {
                throw new IllegalStateException(said.toString());
            }
        }
        System.out.println("work-ns " + (System.nanoTime() - start));
        CRC32 checksum = new CRC32();
        for (Path file : below(out, ".class")) {
            checksum.update(Files.readAllBytes(file));
        }
        System.out.println("checksum " + checksum.getValue());
    }

    private static List<Path> below(Path directory, String ending) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            List<Path> found = files.filter(file -> file.toString().endsWith(ending)).collect(Collectors.toList());
            Collections.sort(found);
            return found;
        }
    }
}
