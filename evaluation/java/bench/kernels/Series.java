package kernels;

/** The first Fourier coefficients of (x + 1)^x on the interval from 0 to 2, by the trapezoidal rule. */
final class Series {

    private static final int STEPS = 1000;

    private Series() {
    }

    /** {@code size}: how many pairs of coefficients. */
    static void run(int size) {
        double[][] coefficients = new double[2][size];
        coefficients[0][0] = integrate(0, 2, 0, 0) / 2;
        for (int i = 1; i < size; i++) {
            coefficients[0][i] = integrate(0, 2, Math.PI * i, 1);
            coefficients[1][i] = integrate(0, 2, Math.PI * i, 2);
        }
        Main.check(Math.abs(coefficients[0][0] - 2.88192) < 1e-4, "first is " + coefficients[0][0]);
    }

    private static double integrate(double from, double to, double omega, int which) {
        double x = from;
        double step = (to - from) / STEPS;
        double sum = value(x, omega, which) / 2;
        for (int i = 1; i < STEPS; i++) {
            x += step;
            sum += value(x, omega, which);
        }
        return (sum + value(to, omega, which) / 2) * step;
    }

    private static double value(double x, double omega, int which) {
        switch (which) {
            case 0:
                return Math.pow(x + 1, x);
            case 1:
                return Math.pow(x + 1, x) * Math.cos(omega * x);
            default:
                return Math.pow(x + 1, x) * Math.sin(omega * x);
        }
    }
}
