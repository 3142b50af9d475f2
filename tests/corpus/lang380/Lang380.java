package lang380;

import org.apache.commons.lang.math.Fraction;

/** Reduces fractions, the last of which is zero. */
public class Lang380 {
    private Lang380() {
    }

    /** Runs the program, which does not end; takes no arguments. */
    public static void main(String[] args) {
        for (int i = 3; i >= 0; i--) {
            Fraction fraction = Fraction.getFraction(25 * i, 100);
            System.out.println(fraction + " is " + fraction.reduce());
        }
    }
}
