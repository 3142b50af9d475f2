package statistics92;

import org.apache.commons.rng.simple.RandomSource;
import org.apache.commons.statistics.distribution.ContinuousDistribution;
import org.apache.commons.statistics.distribution.TruncatedNormalDistribution;
import org.junit.jupiter.api.Assertions;

/** Draws samples of truncated normal distributions. */
public class Statistics92 {
    private static final int SAMPLES = 1000;

    private Statistics92() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        check(TruncatedNormalDistribution.of(0, 0.1, -0.3, 0.3));
        check(TruncatedNormalDistribution.of(1.0, 0.1, 0.7, 1.3));
    }

    private static void check(TruncatedNormalDistribution distribution) {
        ContinuousDistribution.Sampler sampler = distribution.createSampler(RandomSource.XO_SHI_RO_256_PP.create(123456789L));
        double sum = 0;
        for (int i = 0; i < SAMPLES; i++) {
            sum += sampler.sample();
        }
        Assertions.assertEquals(distribution.getMean(), sum / SAMPLES, 0.02);
    }
}
