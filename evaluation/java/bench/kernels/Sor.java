package kernels;

import java.util.Random;

/** Successive over-relaxation: a grid drawn to the mean of its neighbours, a hundred times over. */
final class Sor {

    private static final int SWEEPS = 100;
    private static final double OMEGA = 1.25;

    private Sor() {
    }

    /** {@code size}: rows and columns of the grid. */
    static void run(int size) {
        Random random = new Random(10101010L);
        double[][] grid = new double[size][size];
        for (double[] row : grid) {
            for (int j = 0; j < size; j++) {
                row[j] = random.nextDouble() * 1e-6;
            }
        }
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            sweep(grid);
        }
        double sum = 0;
        for (double[] row : grid) {
            for (int j = 0; j < size; j++) {
                sum += row[j];
            }
        }
        Main.check(sum > 0 && sum < 1e-6 * size * size, "sum of the grid is " + sum);
    }

    private static void sweep(double[][] grid) {
        for (int i = 1; i < grid.length - 1; i++) {
            double[] row = grid[i];
            double[] above = grid[i - 1];
            double[] below = grid[i + 1];
            for (int j = 1; j < row.length - 1; j++) {
                double around = above[j] + below[j] + row[j - 1] + row[j + 1];
                row[j] = OMEGA / 4 * around + (1 - OMEGA) * row[j];
            }
        }
    }
}
