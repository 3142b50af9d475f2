package math241;

import static org.junit.Assert.assertEquals;

import org.apache.commons.math.util.MathUtils;

/** Counts choices. */
public class Math241 {
    private Math241() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        assertEquals(10, MathUtils.binomialCoefficient(5, 2));
        assertEquals(4096.0, sum(12), 0.001);
        assertEquals(27385657281648L, MathUtils.binomialCoefficient(48, 22));
    }

    private static double sum(int n) {
        double sum = 0;
        for (int k = 0; k <= n; k++) {
            sum += MathUtils.binomialCoefficientDouble(n, k);
        }
        return sum;
    }
}
