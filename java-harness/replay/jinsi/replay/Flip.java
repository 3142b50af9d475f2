package jinsi.replay;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;

/**
 * Conditional jumps that can be turned: what would have happened if one had gone the other way, once? Rewritten code compares by the
 * methods of this class where it was instructed to (analysis/rewrite/src/flips.rs).
 */
public final class Flip {
    private static volatile Flip current;

    /** Number of the jump that is turned, and which time; time 0 turns none. */
    private final int site;
    private final long time;
    private long times;
    private boolean turned;
    private final BitSet came = new BitSet();
    /** What code that runs for real prints. */
    private final Printed printed = new Printed();

    /** The first of what is printed. */
    private static final class Printed extends ByteArrayOutputStream {
        private static final int MAX = 1 << 20;

        @Override
        public synchronized void write(int b) {
            if (count < MAX) {
                super.write(b);
            }
        }

        @Override
        public synchronized void write(byte[] bytes, int from, int length) {
            super.write(bytes, from, Math.min(length, MAX - count));
        }
    }

    private Flip(int site, long time) {
        this.site = site;
        this.time = time;
    }

    /** A test begins that watches this. */
    static void begin(Watch watch) {
        if (watch.kind != Watch.Kind.FLIP) {
            current = null;
            return;
        }
        long below = (1L << Codes.FLIP_SITE_SHIFT) - 1;
        current = new Flip((int) (watch.subject >>> Codes.FLIP_SITE_SHIFT), watch.subject & below);
        System.setOut(new PrintStream(current.printed, true, StandardCharsets.UTF_8));
    }

    /** The test has ended. */
    static void end() {
        if (current != null) {
            System.setOut(new PrintStream(OutputStream.nullOutputStream()));
            current = null;
        }
    }

    /** What the test came to: whether the jump was turned, how often it ran, and the numbers of the places that it came to behind that. */
    static String reported() {
        Flip flip = current;
        return flip == null ? "" : flip.text();
    }

    private synchronized String text() {
        StringBuilder text = new StringBuilder(turned ? "turned" : "not turned").append('\n').append(times).append('\n');
        came.stream().forEach(no -> text.append(no).append(' '));
        return text.append('\n').append(printed.toString(StandardCharsets.UTF_8)).toString();
    }

    private synchronized boolean turns(int no) {
        if (no != site) {
            return false;
        }
        times++;
        boolean turns = times == time;
        turned |= turns;
        return turns;
    }

    private synchronized void come(int no) {
        if (turned) {
            came.set(no);
        }
    }

    private static boolean now(int no) {
        Flip flip = current;
        return flip != null && flip.turns(no);
    }

    /** Site {@code no} was come to. */
    public static void came(int no) {
        Flip flip = current;
        if (flip != null) {
            flip.come(no);
        }
    }

    /** Whether {@code value} is 0; the opposite if jump {@code no} is turned now. */
    public static boolean isZero(int value, int no) {
        return value == 0 != now(no);
    }

    /** Whether {@code value} is less than 0; the opposite if jump {@code no} is turned now. */
    public static boolean isNegative(int value, int no) {
        return value < 0 != now(no);
    }

    /** Whether {@code value} is more than 0; the opposite if jump {@code no} is turned now. */
    public static boolean isPositive(int value, int no) {
        return value > 0 != now(no);
    }

    /** Whether both are equal; the opposite if jump {@code no} is turned now. */
    public static boolean areEqual(int one, int other, int no) {
        return one == other != now(no);
    }

    /** Whether {@code one} is less; the opposite if jump {@code no} is turned now. */
    public static boolean isLess(int one, int other, int no) {
        return one < other != now(no);
    }

    /** Whether {@code one} is more; the opposite if jump {@code no} is turned now. */
    public static boolean isGreater(int one, int other, int no) {
        return one > other != now(no);
    }

    /** Whether both are the same object; the opposite if jump {@code no} is turned now. */
    public static boolean areSame(Object one, Object other, int no) {
        return one == other != now(no);
    }

    /** Whether {@code object} is {@code null}; the opposite if jump {@code no} is turned now. */
    public static boolean isNull(Object object, int no) {
        return object == null != now(no);
    }
}
