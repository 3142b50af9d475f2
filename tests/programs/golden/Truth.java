package golden;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/** Recorded runs over contents (Burger 2011, Section 8.5.3): {@code array} or {@code list}, and which of the three. */
public final class Truth {
    private Truth() {
    }

    /** Fills a list; not observed. */
    static final class Feed {
        void fill(List<Integer> list) {
            list.set(0, 7);
            list.set(1, 8);
        }
    }

    public static void main(String[] args) throws IOException {
        if (args[0].equals("array")) {
            array(args[1]);
        } else {
            list(args[1]);
        }
    }

    private static void array(String run) throws IOException {
        Bytes bytes = new Bytes();
        bytes.setValues(new byte[] {1, 2});
        if (run.equals("init")) {
            bytes.init((byte) 7, (byte) 8);
        } else if (run.equals("add")) {
            bytes.addValue((byte) 7);
            bytes.addValue((byte) 8);
        } else {
            File file = new File("values");
            Files.write(file.toPath(), new byte[] {7, 8});
            bytes.readValues(file);
        }
        bytes.transform();
        bytes.show();
    }

    private static void list(String run) {
        Numbers numbers = new Numbers();
        numbers.setValues(new ArrayList<>(List.of(1, 2)));
        if (run.equals("init")) {
            numbers.init(7, 8);
        } else if (run.equals("add")) {
            numbers.addValue(7);
            numbers.addValue(8);
        } else {
            numbers.readValues(new Feed());
        }
        numbers.transform();
        numbers.show();
    }
}
