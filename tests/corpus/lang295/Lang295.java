package lang295;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import org.apache.commons.lang.text.StrBuilder;

/** Builds a text and takes parts of it out again. */
public class Lang295 {
    private Lang295() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        StrBuilder text = new StrBuilder();
        for (String word : new String[] {"one", "two", "three"}) {
            text.append(word);
            assertTrue(text.contains(word));
        }
        assertTrue(text.contains('h'));
        text.deleteFirst("three");
        assertEquals("onetwo", text.toString());
        assertFalse(text.contains('h'));
    }
}
