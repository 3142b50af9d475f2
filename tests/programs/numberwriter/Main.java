package numberwriter;

import java.io.FileReader;
import java.io.IOException;

/**
 * Four interactions with a {@link NumberWriter}; then reading the file back fails, in this class.
 *
 * <p>Writes {@code output.txt} into the working directory.
 */
public class Main {
    private Main() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) throws IOException {
        NumberWriter writer = new NumberWriter();
        writer.setFile("output.txt");
        writer.setNumbers(2);
        writer.writeNumbers();
        readBack("output.txt");
    }

    private static void readBack(String file) throws IOException {
        try (FileReader reader = new FileReader(file)) {
            int first = reader.read();
            if (first != '1') {
                throw new IllegalStateException("expected the digit 1, found the character with code " + first);
            }
        }
    }
}
