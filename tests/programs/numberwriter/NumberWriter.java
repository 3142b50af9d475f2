package numberwriter;

import java.io.FileWriter;
import java.io.IOException;

/**
 * Writes the numbers from 1 to a limit into a file.
 *
 * <p>It holds two defects: the numbers are written as character codes instead of digits, and nothing separates them, so that a file of
 * more than one number cannot be read back.
 */
public class NumberWriter {
    private String file = null;
    private int numbers = 0;

    /** Makes a writer without a file and without numbers. */
    public NumberWriter() {
    }

    /** Sets the path of the file to write. */
    public void setFile(String file) {
        this.file = file;
    }

    /** Sets the last number to write; 0 writes none. */
    public void setNumbers(int numbers) {
        this.numbers = numbers;
    }

    /** Writes the numbers, or complains on the standard error stream if no file was set. */
    public void writeNumbers() throws IOException {
        if (file == null) {
            System.err.println("Output has not been set.");
            return;
        }
        FileWriter writer = new FileWriter(file);
        for (int number = 1; number <= numbers; number++) {
            writer.write(number);
        }
        writer.close();
    }

    /**
     * Checks that the file can be read back.
     *
     * @throws IllegalStateException if it holds more than one number
     */
    public void checkNumbers() {
        if (numbers > 1) {
            throw new IllegalStateException(numbers + " numbers, but no separator");
        }
    }
}
