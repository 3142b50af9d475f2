package tdigest107;

import com.tdunning.math.stats.MergingDigest;
import com.tdunning.math.stats.TDigest;

/** Digests measurements. */
public class Tdigest107 {
    private Tdigest107() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        double[] data = {
            3.0, 3.1, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.5, 3.3, 3.4, 3.5, 3.5, 4.0, 2.95, 3.18, 180.0, 3.0, 3.0, 3.0,
            3.0
        };
        TDigest digest = new MergingDigest(1);
        for (double datum : data) {
            digest.add(datum);
        }
        System.out.println(digest.size());
    }
}
