package math369;

import org.apache.commons.math.analysis.UnivariateRealFunction;
import org.apache.commons.math.analysis.polynomials.PolynomialFunction;
import org.apache.commons.math.analysis.solvers.BisectionSolver;

/** Solves an equation twice. */
public class Math369 {
    private Math369() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) throws Exception {
        UnivariateRealFunction cubic = new PolynomialFunction(new double[] {-8, 0, 0, 1});
        BisectionSolver solver = new BisectionSolver();
        solver.setMaximalIterationCount(60);
        System.out.println(solver.solve(cubic, 1.0, 3.5));
        System.out.println(solver.getIterationCount());
        System.out.println(solver.solve(cubic, 1.0, 3.5, 1.9));
    }
}
