package math1005;

import org.apache.commons.math3.util.MathArrays;

/** Calculates linear combinations of fewer and fewer terms. */
public class Math1005 {
    private Math1005() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        for (int terms = 4; terms > 0; terms--) {
            double[] factors = new double[terms];
            double[] values = new double[terms];
            for (int i = 0; i < terms; i++) {
                factors[i] = i + 1.5;
                values[i] = 2 * i;
            }
            System.out.println(MathArrays.linearCombination(MathArrays.scale(2, factors), values));
        }
    }
}
