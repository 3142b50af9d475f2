package math227;

import org.apache.commons.math.distribution.FDistribution;
import org.apache.commons.math.distribution.FDistributionImpl;

/** Prints medians of F distributions. */
public class Math227 {
    private Math227() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) throws Exception {
        for (int degrees = 5; degrees > 0; degrees--) {
            FDistribution distribution = new FDistributionImpl(degrees, degrees);
            double median = distribution.inverseCumulativeProbability(0.5);
            System.out.println(distribution.cumulativeProbability(1.5) + " " + median);
        }
    }
}
