package numberwriter;

import java.io.IOException;

/** As {@link Main}, but what was set is set again: without the last setting, more numbers are to be written than were. */
public class LongerMain {
    private LongerMain() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) throws IOException {
        NumberWriter writer = new NumberWriter();
        writer.setFile("output.txt");
        writer.setNumbers(2);
        writer.setNumbers(1);
        writer.writeNumbers();
    }
}
