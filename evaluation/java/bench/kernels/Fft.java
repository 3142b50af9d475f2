package kernels;

import java.util.Random;

/** Fast Fourier transform of complex numbers in place, there and back. */
final class Fft {

    private Fft() {
    }

    /** {@code size}: how many complex numbers, a power of two. */
    static void run(int size) {
        Random random = new Random(1729L);
        double[] data = new double[2 * size];
        for (int i = 0; i < data.length; i++) {
            data[i] = random.nextDouble();
        }
        double[] before = data.clone();
        transform(data, -1);
        transform(data, 1);
        double error = 0;
        for (int i = 0; i < data.length; i++) {
            double difference = data[i] / size - before[i];
            error += difference * difference;
        }
        Main.check(Math.sqrt(error / data.length) < 1e-10, "error is " + error);
    }

    private static void transform(double[] data, int direction) {
        int n = data.length / 2;
        reverse(data, n);
        for (int half = 1; half < n; half *= 2) {
            double angle = direction * Math.PI / half;
            double stepRe = Math.cos(angle);
            double stepIm = Math.sin(angle);
            double re = 1;
            double im = 0;
            for (int a = 0; a < half; a++) {
                for (int b = a; b < n; b += 2 * half) {
                    int i = 2 * b;
                    int j = 2 * (b + half);
                    double oddRe = data[j] * re - data[j + 1] * im;
                    double oddIm = data[j] * im + data[j + 1] * re;
                    data[j] = data[i] - oddRe;
                    data[j + 1] = data[i + 1] - oddIm;
                    data[i] += oddRe;
                    data[i + 1] += oddIm;
                }
                double next = re * stepRe - im * stepIm;
                im = re * stepIm + im * stepRe;
                re = next;
            }
        }
    }

    /** Puts every number to the place whose bits are its own in reverse. */
    private static void reverse(double[] data, int n) {
        int j = 0;
        for (int i = 0; i < n - 1; i++) {
            if (i < j) {
                double re = data[2 * i];
                double im = data[2 * i + 1];
                data[2 * i] = data[2 * j];
                data[2 * i + 1] = data[2 * j + 1];
                data[2 * j] = re;
                data[2 * j + 1] = im;
            }
            int bit = n / 2;
            while (bit <= j) {
                j -= bit;
                bit /= 2;
            }
            j += bit;
        }
    }
}
