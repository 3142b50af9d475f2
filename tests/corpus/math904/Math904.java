package math904;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.commons.math3.util.FastMath;

/** Raises to odd powers. */
public class Math904 {
    private Math904() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        for (int exponent = 1; exponent < 8; exponent += 2) {
            assertEquals(-1.0, FastMath.pow(-1.0, exponent));
        }
        assertEquals(-1.0, FastMath.pow(-1.0, -9.007199254740991E15));
    }
}
