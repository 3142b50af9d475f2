package math308;

import java.util.Arrays;
import java.util.Random;
import org.apache.commons.math.linear.Array2DRowRealMatrix;
import org.apache.commons.math.linear.EigenDecompositionImpl;
import org.apache.commons.math.linear.RealMatrix;

/** Calculates eigenvalues of matrices, most of them tridiagonal and made at random. */
public class Math308 {
    private Math308() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        RealMatrix matrix = new Array2DRowRealMatrix(new double[][] {{2, 1, 0}, {1, 3, 1}, {0, 1, 4}});
        System.out.println(Arrays.toString(new EigenDecompositionImpl(matrix, 1.0e-12).getRealEigenvalues()));
        Random random = new Random(7);
        for (int trial = 0; trial < 100; trial++) {
            int size = 3 + random.nextInt(6);
            double[] main = numbers(random, size);
            double[] secondary = numbers(random, size - 1);
            double[] values = new EigenDecompositionImpl(main, secondary, 1.0e-300).getRealEigenvalues();
            System.out.println(values.length);
        }
    }

    /** Numbers of very different sizes, a quarter of them 0. */
    private static double[] numbers(Random random, int count) {
        double[] numbers = new double[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = random.nextInt(4) == 0 ? 0 : random.nextGaussian() * Math.pow(10, random.nextInt(6) - 3);
        }
        return numbers;
    }
}
