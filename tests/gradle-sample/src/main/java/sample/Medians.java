package sample;

import org.apache.commons.math.MathException;
import org.apache.commons.math.distribution.FDistribution;
import org.apache.commons.math.distribution.FDistributionImpl;

/** Medians of F distributions, made with a library that has a known defect (MATH-227). */
public final class Medians {
    private final double[] medians;

    /** Those of as many degrees of freedom as are given. */
    public Medians(int... degrees) throws MathException {
        medians = new double[degrees.length];
        for (int i = 0; i < degrees.length; i++) {
            FDistribution distribution = new FDistributionImpl(degrees[i], degrees[i]);
            medians[i] = distribution.inverseCumulativeProbability(0.5);
        }
    }

    /** The largest of them. */
    public double largest() {
        double largest = 0;
        for (double median : medians) {
            largest = Math.max(largest, median);
        }
        return largest;
    }
}
