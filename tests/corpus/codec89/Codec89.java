package codec89;

import static org.junit.Assert.assertEquals;

import org.apache.commons.codec.binary.Base64;
import org.apache.commons.codec.binary.Hex;
import org.apache.commons.codec.binary.StringUtils;

/** Encodes words and decodes them again. */
public class Codec89 {
    private Codec89() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        String word = "abc";
        assertEquals("616263", Hex.encodeHexString(StringUtils.getBytesUtf8(word)));
        byte[] decoded = Base64.decodeBase64("YWJj");
        assertEquals(word, StringUtils.newStringUtf8(decoded));
        assertEquals("YWJj", Base64.encodeBase64String(decoded));
    }
}
