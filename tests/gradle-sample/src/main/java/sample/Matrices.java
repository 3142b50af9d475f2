package sample;

import java.math.BigDecimal;
import org.apache.commons.math.linear.BigMatrix;
import org.apache.commons.math.linear.BigMatrixImpl;

/** Matrices of exact numbers, made with a library that has a known defect (MATH-209). */
public final class Matrices {
    private Matrices() {
    }

    /** The sums of a matrix' rows, each element times the factor of its column. */
    public static BigDecimal[] weightedSums(double[][] rows, BigDecimal... factors) {
        BigMatrix matrix = new BigMatrixImpl(rows);
        return matrix.operate(factors);
    }

    /** All of these sums together. */
    public static BigDecimal weightedTotal(double[][] rows, BigDecimal... factors) {
        BigDecimal total = BigDecimal.ZERO;
        for (BigDecimal sum : weightedSums(rows, factors)) {
            total = total.add(sum);
        }
        return total;
    }
}
