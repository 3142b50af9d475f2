package sounds;

import java.io.File;
import java.io.FileWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;

/** Prints the codes of names, and lists them in a file; the status with which it ends is how many there are. */
public class Main {
    private static final Sounds SOUNDS = new Sounds();

    private Main() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) throws IOException {
        File file = File.createTempFile("sounds", ".txt");
        file.deleteOnExit();
        try (PrintWriter list = new PrintWriter(new FileWriter(file))) {
            for (String name : new String[] {"Robert", "yhwdyt", "Rupert"}) {
                String code = SOUNDS.code(name);
                System.out.println(name + " " + code);
                list.println(code + ";" + name);
            }
        }
        System.err.printf("last: %s%n", SOUNDS.last);
        Files.writeString(file.toPath(), "at last " + SOUNDS.last);
        System.exit(SOUNDS.coded());
    }
}
