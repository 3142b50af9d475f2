package math645;

import org.apache.commons.math.linear.OpenMapRealVector;

/** Calculates with sparse vectors. */
public class Math645 {
    private Math645() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        OpenMapRealVector dense = new OpenMapRealVector(6);
        OpenMapRealVector sparse = new OpenMapRealVector(6);
        for (int i = 0; i < 6; i++) {
            dense.setEntry(i, i + 1);
        }
        sparse.setEntry(0, 1);
        sparse.setEntry(3, 2);
        System.out.println(dense.dotProduct(sparse) + " " + dense.add(sparse).getNorm());
        System.out.println(dense.ebeMultiply(sparse).getNorm());
    }
}
