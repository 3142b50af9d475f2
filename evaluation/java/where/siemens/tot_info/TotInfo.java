package siemens.tot_info;

/** How much the rows of a table tell of its columns: information, and how likely it came about by chance. */
final class TotInfo {
    static final int MAXIMUM = 1000;
    static final int ROUNDS = 100;

    private final double[] coefficients = {
        76.18009173, -86.50532033, 24.01409822, -1.231739516, 0.120858003e-2, -0.536382e-5,
    };
    private final StringBuilder out = new StringBuilder();
    private double precision = 3.0E-7;
    private double[] table;
    private int rows;
    private int columns;
    private int freedom;

    double at(int row, int column) {
        return table[row * columns + column];
    }

    /** The logarithm of the gamma function. */
    double logGamma(double x) {
        x -= 1.0;
        double t = x + 5.5;
        t -= (x + 0.5) * Math.log(t);
        double sum = 1.0;
        for (int i = 0; i < 6; i++) {
            x += 1.0;
            sum += coefficients[i] / x;
        }
        return -t + Math.log(2.50662827465 * sum);
    }

    /** The incomplete gamma function by its series. */
    double series(double a, double x) {
        if (x <= 0.0) {
            return 0.0;
        }
        double ap = a;
        double sum = 1.0 / a;
        double delta = sum;
        for (int n = 1; n <= ROUNDS; n++) {
            ap += 1.0;
            delta *= x / ap;
            sum += delta;
            if (Math.abs(delta) < Math.abs(sum) * precision) {
                return sum * Math.exp(-x + a * Math.log(x) - logGamma(a));
            }
        }
        return Double.NaN;
    }

    /** The same by a continued fraction, of its complement. */
    double fraction(double a, double x) {
        double before = 0.0;
        double a0 = 1.0;
        double a1 = x;
        double b0 = 0.0;
        double b1 = 1.0;
        double factor = 1.0;
        for (int n = 1; n <= ROUNDS; n++) {
            double na = n - a;
            a0 = (a1 + a0 * na) * factor;
            b0 = (b1 + b0 * na) * factor;
            double nf = n * factor;
            a1 = x * a0 + nf * a1;
            b1 = x * b0 + nf * b1;
            if (a1 != 0.0) {
                factor = 1.0 / a1;
                double g = b1 * factor;
                if (Math.abs(g - before) < precision * Math.abs(g)) {
                    return g * Math.exp(-x + a * Math.log(x) - logGamma(a));
                }
                before = g;
            }
        }
        return Double.NaN;
    }

    /** The complement of the incomplete gamma function. */
    double complement(double a, double x) {
        if (x < 0.0 || a <= 0.0) {
            return Double.NaN;
        }
        if (x < a + 1.0) {
            return 1.0 - series(a, x);
        }
        return fraction(a, x);
    }

    double chance(double squared, int df) {
        if (df <= 0) {
            return 1.0;
        }
        return complement(0.5 * df, 0.5 * squared);
    }

    /** The information of the table; negative if it has none, or is none. */
    double information() {
        if (rows <= 1 || columns <= 1) {
            return -3.0;
        }
        freedom = (rows - 1) * (columns - 1);
        double[] ofRows = new double[rows];
        double total = 0.0;
        for (int row = 0; row < rows; row++) {
            double sum = 0.0;
            for (int column = 0; column < columns; column++) {
                double count = at(row, column);
                if (count < 0.0) {
                    return -2.0;
                }
                sum += count;
            }
            ofRows[row] = sum;
            total += sum;
        }
        if (total <= 0.0) {
            return -1.0;
        }
        double[] ofColumns = new double[columns];
        for (int column = 0; column < columns; column++) {
            double sum = 0.0;
            for (int row = 0; row < rows; row++) {
                sum += at(row, column);
            }
            ofColumns[column] = sum;
        }
        double info = total * Math.log(total);
        for (int row = 0; row < rows; row++) {
            double part = ofRows[row];
            if (part > 0.0) {
                info -= part * Math.log(part);
            }
            for (int column = 0; column < columns; column++) {
                double count = at(row, column);
                if (count > 0.0) {
                    info += count * Math.log(count);
                }
            }
        }
        for (int column = 0; column < columns; column++) {
            double part = ofColumns[column];
            if (part > 0.0) {
                info -= part * Math.log(part);
            }
        }
        return 2.0 * info;
    }

    String rounded(double number) {
        if (Double.isNaN(number)) {
            return "nan";
        }
        long scaled = Math.round(number * 100.0);
        return Long.toString(scaled);
    }

    String run(int[] in) {
        int next = 0;
        double totalInfo = 0.0;
        int totalFreedom = 0;
        while (next + 1 < in.length) {
            rows = in[next];
            columns = in[next + 1];
            next += 2;
            if (rows <= 0 || columns <= 0 || rows > MAXIMUM / columns) {
                out.append("* invalid size *");
                return out.toString();
            }
            table = new double[rows * columns];
            for (int cell = 0; cell < rows * columns; cell++) {
                table[cell] = in[next];
                next++;
            }
            double info = information();
            if (info >= 0.0) {
                out.append("info ").append(rounded(info));
                out.append(" df ").append(freedom);
                out.append(" q ").append(rounded(chance(info, freedom))).append(' ');
                totalInfo += info;
                totalFreedom += freedom;
            } else if (info < -3.5) {
                out.append("out of memory ");
            } else if (info < -2.5) {
                out.append("table too small ");
            } else if (info < -1.5) {
                out.append("negative count ");
            } else {
                out.append("no information ");
            }
        }
        if (totalFreedom <= 0) {
            out.append("*** no information ***");
            return out.toString();
        }
        out.append("total ").append(rounded(totalInfo));
        out.append(" df ").append(totalFreedom);
        out.append(" q ").append(rounded(chance(totalInfo, totalFreedom)));
        return out.toString();
    }
}
