package siemens;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Texts in files, a line each. It is not observed: what it does has nothing to do with a fault. */
final class Lines {
    private Lines() {
    }

    /** The text in one line. */
    static String line(String text) {
        return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
    }

    /** What {@link #line} has made one line of. */
    static String text(String line) {
        StringBuilder text = new StringBuilder();
        for (int at = 0; at < line.length(); at++) {
            char sign = line.charAt(at);
            if (sign == '\\') {
                at++;
                sign = switch (line.charAt(at)) {
                    case 'n' -> '\n';
                    case 'r' -> '\r';
                    default -> line.charAt(at);
                };
            }
            text.append(sign);
        }
        return text.toString();
    }

    static List<String> read(String file) throws IOException {
        return Files.readAllLines(Path.of(file), StandardCharsets.UTF_8);
    }

    static void write(String file, List<String> lines) throws IOException {
        Files.write(Path.of(file), lines, StandardCharsets.UTF_8);
    }

    /** Beside the file with what inputs give: the inputs. */
    static void writeInputs(String expected, List<String> inputs) throws IOException {
        List<String> lines = new ArrayList<>();
        for (String input : inputs) {
            lines.add(line(input));
        }
        write(expected + ".inputs", lines);
    }

    /** The input with this number. */
    static String input(String expected, int no) throws IOException {
        return text(read(expected + ".inputs").get(no));
    }
}
