package pdfbox5773;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.pdfbox.pdmodel.font.encoding.Encoding;
import org.apache.pdfbox.pdmodel.font.encoding.MacOSRomanEncoding;

/** Looks up the names of characters by their codes. */
public class Pdfbox5773 {
    private Pdfbox5773() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        Encoding encoding = MacOSRomanEncoding.INSTANCE;
        assertEquals("A", encoding.getName('A'));
        assertEquals("notequal", encoding.getName(0255));
        assertEquals("infinity", encoding.getName(0260));
        assertEquals("apple", encoding.getName(0360));
    }
}
