package math790;

import static org.junit.Assert.assertTrue;

import org.apache.commons.math3.stat.inference.MannWhitneyUTest;

/** Compares samples that do not differ. */
public class Math790 {
    private Math790() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        MannWhitneyUTest test = new MannWhitneyUTest();
        for (int size = 15; size <= 1500; size *= 10) {
            double[] even = new double[size];
            double[] odd = new double[size];
            for (int i = 0; i < size; i++) {
                even[i] = 2 * i;
                odd[i] = 2 * i + 1;
            }
            double p = test.mannWhitneyUTest(even, odd);
            assertTrue("p is " + p, p > 0.1);
        }
    }
}
