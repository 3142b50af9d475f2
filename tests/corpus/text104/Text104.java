package text104;

import static org.junit.Assert.assertEquals;

import org.apache.commons.text.similarity.JaroWinklerDistance;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** Compares words. */
public class Text104 {
    private Text104() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        assertEquals(Integer.valueOf(1), new LevenshteinDistance().apply("frog", "fog"));
        JaroWinklerDistance distance = new JaroWinklerDistance();
        assertEquals(0.0, distance.apply("elephant", "elephant"), 0.0001);
    }
}
