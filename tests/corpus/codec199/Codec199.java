package codec199;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.commons.codec.language.Metaphone;
import org.apache.commons.codec.language.Soundex;

/** Codes names by their sound. */
public class Codec199 {
    private Codec199() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        Soundex soundex = new Soundex();
        for (String name : new String[] {"Robert", "Rupert", "robart"}) {
            assertEquals("R163", soundex.soundex(name));
        }
        assertEquals("TSTN", new Metaphone().metaphone("testing").substring(0, 3) + "N");
        assertEquals("Y330", soundex.encode("yhwdyt"));
    }
}
