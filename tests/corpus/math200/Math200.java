package math200;

import java.util.Arrays;
import org.apache.commons.math.estimation.EstimatedParameter;
import org.apache.commons.math.estimation.LevenbergMarquardtEstimator;
import org.apache.commons.math.estimation.SimpleEstimationProblem;
import org.apache.commons.math.estimation.WeightedMeasurement;

/** Fits a line whose intercept is known. */
public class Math200 {
    private Math200() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) throws Exception {
        Line line = new Line();
        for (int x = 0; x < 5; x++) {
            line.measure(x, 3 * x + 2);
        }
        LevenbergMarquardtEstimator estimator = new LevenbergMarquardtEstimator();
        estimator.estimate(line);
        System.out.println(line.slope.getEstimate() + " " + estimator.getRMS(line));
        System.out.println(Arrays.deepToString(estimator.getCovariances(line)));
    }

    /** A line of known intercept. */
    static final class Line extends SimpleEstimationProblem {
        final EstimatedParameter slope = new EstimatedParameter("slope", 0.5);
        final EstimatedParameter intercept = new EstimatedParameter("intercept", 2, true);

        Line() {
            addParameter(slope);
            addParameter(intercept);
        }

        void measure(double x, double y) {
            addMeasurement(new Point(this, x, y));
        }
    }

    /** A measured point of a line. */
    static final class Point extends WeightedMeasurement {
        private static final long serialVersionUID = 1L;
        private final transient Line line;
        private final double x;

        Point(Line line, double x, double y) {
            super(1.0, y);
            this.line = line;
            this.x = x;
        }

        @Override
        public double getTheoreticalValue() {
            return line.slope.getEstimate() * x + line.intercept.getEstimate();
        }

        @Override
        public double getPartial(EstimatedParameter parameter) {
            return parameter == line.slope ? x : 1;
        }
    }
}
