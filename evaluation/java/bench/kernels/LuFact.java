package kernels;

import java.util.Random;

/** Solves a linear system by LU factorisation with partial pivoting, column by column. */
final class LuFact {

    private LuFact() {
    }

    /** {@code size}: rows and columns of the matrix. */
    static void run(int size) {
        double[][] columns = new double[size][size];
        double[] right = fill(columns);
        int[] pivots = new int[size];
        factor(columns, pivots);
        solve(columns, pivots, right);
        for (int i = 0; i < size; i++) {
            Main.check(Math.abs(right[i] - 1) < 1e-6, "unknown " + i + " is " + right[i]);
        }
    }

    /** A random matrix, and the right side whose solution is all ones. */
    private static double[] fill(double[][] columns) {
        Random random = new Random(1325L);
        double[] sums = new double[columns.length];
        for (double[] column : columns) {
            for (int i = 0; i < column.length; i++) {
                column[i] = random.nextDouble() - 0.5;
                sums[i] += column[i];
            }
        }
        return sums;
    }

    private static void factor(double[][] columns, int[] pivots) {
        int n = columns.length;
        for (int k = 0; k < n; k++) {
            double[] column = columns[k];
            int pivot = greatest(column, k);
            pivots[k] = pivot;
            Main.check(column[pivot] != 0, "singular");
            if (pivot != k) {
                double t = column[pivot];
                column[pivot] = column[k];
                column[k] = t;
            }
            scale(column, k + 1, -1 / column[k]);
            for (int j = k + 1; j < n; j++) {
                double[] other = columns[j];
                double t = other[pivot];
                if (pivot != k) {
                    other[pivot] = other[k];
                    other[k] = t;
                }
                add(t, column, other, k + 1);
            }
        }
    }

    private static void solve(double[][] columns, int[] pivots, double[] b) {
        int n = columns.length;
        for (int k = 0; k < n - 1; k++) {
            int pivot = pivots[k];
            double t = b[pivot];
            if (pivot != k) {
                b[pivot] = b[k];
                b[k] = t;
            }
            add(t, columns[k], b, k + 1);
        }
        for (int k = n - 1; k >= 0; k--) {
            b[k] /= columns[k][k];
            double t = -b[k];
            for (int i = 0; i < k; i++) {
                b[i] += t * columns[k][i];
            }
        }
    }

    private static int greatest(double[] column, int from) {
        int found = from;
        for (int i = from + 1; i < column.length; i++) {
            if (Math.abs(column[i]) > Math.abs(column[found])) {
                found = i;
            }
        }
        return found;
    }

    private static void scale(double[] column, int from, double factor) {
        for (int i = from; i < column.length; i++) {
            column[i] *= factor;
        }
    }

    private static void add(double factor, double[] column, double[] to, int from) {
        for (int i = from; i < to.length; i++) {
            to[i] += factor * column[i];
        }
    }
}
