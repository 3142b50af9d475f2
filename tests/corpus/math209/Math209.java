package math209;

import java.math.BigDecimal;
import java.util.Arrays;
import org.apache.commons.math.linear.BigMatrix;
import org.apache.commons.math.linear.BigMatrixImpl;

/** Multiplies matrices with a vector. */
public class Math209 {
    private Math209() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        BigMatrix square = new BigMatrixImpl(new double[][] {{1, 2}, {3, 4}});
        BigDecimal[] vector = {BigDecimal.ONE, BigDecimal.TEN};
        System.out.println(Arrays.toString(square.operate(vector)));
        System.out.println(square.multiply(square).getTrace());
        BigMatrix high = new BigMatrixImpl(new double[][] {{1, 2}, {3, 4}, {5, 6}});
        System.out.println(high.transpose().getRowDimension());
        System.out.println(Arrays.toString(high.operate(vector)));
    }
}
