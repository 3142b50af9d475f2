package numberwriter;

import java.io.IOException;

/**
 * The interactions of {@link Main}, then one more that fails inside {@link NumberWriter}; the first, the third and the last of the
 * five are needed for that.
 *
 * <p>Writes {@code output.txt} into the working directory.
 */
public class CheckMain {
    private CheckMain() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) throws IOException {
        NumberWriter writer = new NumberWriter();
        writer.setFile("output.txt");
        writer.setNumbers(2);
        writer.writeNumbers();
        writer.checkNumbers();
    }
}
