package numbers;

import org.apache.commons.math3.analysis.polynomials.PolynomialFunction;
import org.apache.commons.math3.analysis.solvers.LaguerreSolver;
import org.apache.commons.math3.complex.Complex;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.EigenDecomposition;
import org.apache.commons.math3.linear.LUDecomposition;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.linear.SingularValueDecomposition;
import org.apache.commons.math3.random.MersenneTwister;
import org.apache.commons.math3.stat.descriptive.DescriptiveStatistics;
import org.apache.commons.math3.transform.DftNormalization;
import org.apache.commons.math3.transform.FastFourierTransformer;
import org.apache.commons.math3.transform.TransformType;

/**
 * Commons Math computes: decompositions of matrices, Fourier transforms, roots of polynomials, statistics.
 *
 * <p>Argument: how many rounds. Prints {@code work-ns N}, {@code second-half-ns N} and {@code checksum N}.
 */
public final class Main {
    private static final int SIZE = 24;
    private final MersenneTwister random = new MersenneTwister(42);
    private long checksum;

    private Main() {
    }

    public static void main(String[] args) {
        int rounds = Integer.parseInt(args[0]);
        long start = System.nanoTime();
        long half = start;
        Main main = new Main();
        for (int round = 0; round < rounds; round++) {
            if (round == rounds / 2) {
                half = System.nanoTime();
            }
            main.matrices();
            main.transform();
            main.roots();
            main.statistics();
        }
        long end = System.nanoTime();
        System.out.println("work-ns " + (end - start));
        System.out.println("second-half-ns " + (end - half));
        System.out.println("checksum " + main.checksum);
    }

    private void matrices() {
        RealMatrix matrix = new Array2DRowRealMatrix(SIZE, SIZE);
        for (int row = 0; row < SIZE; row++) {
            for (int column = 0; column < SIZE; column++) {
                matrix.setEntry(row, column, random.nextGaussian());
            }
        }
        add(new LUDecomposition(matrix).getDeterminant());
        add(new SingularValueDecomposition(matrix).getConditionNumber());
        add(new EigenDecomposition(matrix.multiply(matrix.transpose())).getRealEigenvalue(0));
        add(new LUDecomposition(matrix).getSolver().getInverse().getNorm());
    }

    private void transform() {
        double[] signal = new double[512];
        for (int i = 0; i < signal.length; i++) {
            signal[i] = random.nextDouble();
        }
        FastFourierTransformer fourier = new FastFourierTransformer(DftNormalization.STANDARD);
        Complex[] spectrum = fourier.transform(signal, TransformType.FORWARD);
        add(fourier.transform(spectrum, TransformType.INVERSE)[7].abs());
    }

    private void roots() {
        double[] coefficients = new double[8];
        for (int i = 0; i < coefficients.length; i++) {
            coefficients[i] = 1 + random.nextInt(9);
        }
        PolynomialFunction polynomial = new PolynomialFunction(coefficients);
        for (Complex root : new LaguerreSolver().solveAllComplex(polynomial.getCoefficients(), 0)) {
            add(root.getReal());
        }
    }

    private void statistics() {
        DescriptiveStatistics values = new DescriptiveStatistics(200);
        for (int i = 0; i < 400; i++) {
            values.addValue(random.nextGaussian());
        }
        add(values.getPercentile(90));
        add(values.getKurtosis());
    }

    private void add(double value) {
        checksum = 31 * checksum + Double.doubleToLongBits(value);
    }
}
