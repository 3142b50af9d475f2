import java.util.Random;

/** Accesses to arrays that follow one another, in all ways that a compiler makes of them, and exceptions in the midst of them. */
public final class Gathered {
    private static final int ROUNDS = 1500;

    private final int[] fixed;
    private long[] changing;
    private int[] none;

    private Gathered(int size) {
        fixed = new int[size];
        changing = new long[size];
    }

    public static void main(String[] args) {
        Random random = new Random(41);
        Gathered gathered = new Gathered(6);
        long sum = 0;
        for (int round = 0; round < ROUNDS; round++) {
            int at = random.nextInt(7) - 1;
            sum += gathered.kinds(at) + gathered.steps(at, random.nextInt(3));
            sum += gathered.fields(at) + caught(random.nextInt(4), at) + exchanged(at);
            sum += wide(at) + uncaught(random.nextInt(3), at);
        }
        throw new IllegalStateException("sum " + sum);
    }

    /** One array of each type. */
    private int kinds(int at) {
        boolean[] booleans = new boolean[6];
        byte[] bytes = new byte[6];
        char[] chars = new char[6];
        short[] shorts = new short[6];
        float[] floats = new float[6];
        try {
            bytes[2] = (byte) (at - 200);
            chars[3] = (char) (bytes[2] + 70000);
            shorts[1] = (short) (chars[3] * 3);
            booleans[at] = shorts[1] > 0;
            floats[at] = shorts[1] / 7f;
            changing[at] = Float.floatToRawIntBits(floats[at]) * 1_000_003L;
            return (int) changing[at] + (booleans[at] ? 1 : bytes[at]) + chars[at];
        } catch (ArrayIndexOutOfBoundsException e) {
            return bytes[2] + shorts[1];
        }
    }

    /** Indexes that follow from others, and from themselves. */
    private int steps(int at, int by) {
        int[] values = {1, 2, 3, 5, 8, 13, 21, 34};
        int i = at + 1;
        int sum = 0;
        for (int turn = 0; turn < 4; turn++) {
            try {
                sum += values[i++] + values[i] - values[i - 1];
                values[i] += values[i + by];
                values[i++] ^= values[--i + 1];
                sum += values[0] * values[7] + values[turn];
                i += 30000;
                i -= 30000 - by;
                sum += values[i + 40000 - 40000] % (values[turn] - 3);
            } catch (ArithmeticException | ArrayIndexOutOfBoundsException e) {
                sum -= values[turn];
                i = 0;
            }
        }
        return sum;
    }

    private long fields(int at) {
        try {
            fixed[at] = fixed[5 - at] + 1;
            changing[5] += fixed[at];
            changing = changing.clone();
            changing[at] ^= fixed[at] + changing[5];
            return changing[at] + none[fixed[0] + fixed[1]];
        } catch (NullPointerException e) {
            return fixed[at];
        } catch (ArrayIndexOutOfBoundsException e) {
            return fixed[2] - changing[1];
        }
    }

    /** The array, the element or the divisor is missing, in the midst of others. */
    private static int caught(int what, int at) {
        int[] one = {3, 1, 4, 1, 5, 9};
        int[] other = what == 0 ? null : new int[what + 2];
        int sum = 0;
        for (int i = 0; i < one.length; i++) {
            try {
                sum += one[i];
                sum += other[i] + one[5 - i];
                one[i] = sum / (at - i);
                other[i] = one[i] + other[0];
            } catch (RuntimeException e) {
                sum += one[i] * 2 + one[0];
            }
        }
        return sum;
    }

    /** Local variables change between accesses. */
    private static int exchanged(int at) {
        int[] one = {1, 2, 3, 4, 5, 6};
        int[] other = {6, 5, 4, 3, 2, 1};
        int sum = 0;
        for (int i = 0; i < 6; i++) {
            int[] kept = one;
            sum += one[i] + (one = other)[i] + kept[i];
            other = kept;
            sum += other[i] * one[5 - i];
        }
        for (int[] array : new int[][] {one, other}) {
            int i = 0;
            do {
                sum += array[i] - array[Math.max(i, at)];
            } while (++i < 6);
        }
        return sum;
    }

    /** More accesses than one event has room for. */
    private static double wide(int at) {
        double[] values = new double[12];
        for (int i = 0; i < 4; i++) {
            values[i] = at;
            values[11 - i] = values[i] * values[i + 1] + values[i + 2] * values[i + 3];
            values[i + 4] += values[i + 5] - values[i + 6] / values[i + 7];
            values[2 * i] = values[3 * i] + values[i] - values[i + 8] * values[1] + values[2] + values[10];
            values[i + 1] = values[i + 2] + values[i + 3] + values[i + 5];
        }
        return values[at + 3] > 0 ? 1 : 0;
    }

    private static int uncaught(int what, int at) {
        try {
            return thrown(new int[] {7, 8, 9}, what, at);
        } catch (ArrayIndexOutOfBoundsException e) {
            return -1;
        }
    }

    private static int thrown(int[] values, int what, int at) {
        values[what] = values[0] + values[1] * at;
        values[1] = values[at + what];
        return values[at] + values[what];
    }
}
