package csv219;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.commons.csv.CSVFormat;

/** Formats records. */
public class Csv219 {
    private Csv219() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        assertEquals("a,b", CSVFormat.EXCEL.format("a", "b"));
        assertEquals("a;\"b;c\"", CSVFormat.EXCEL.withDelimiter(';').format("a", "b;c"));
        assertEquals("\u7aef\u672b,b", CSVFormat.EXCEL.format("\u7aef\u672b", "b"));
    }
}
