import java.util.ArrayList;
import java.util.List;

/** Every shape of control flow javac makes without invokedynamic; prints what it computed. */
public class Plain {
    static int finallyRuns;
    final int base;
    final String text;

    Plain(int base, String text) {
        this.base = base;
        this.text = text;
    }

    /** A constructor whose super call has a jump among its arguments. */
    static class Chosen extends Plain {
        final long wide;

        Chosen(boolean c, long a, long b) {
            super(c ? (int) a : (int) b, c ? new String("yes") : new StringBuilder("no").append(b).toString());
            wide = c ? a : b;
        }

        Chosen(long x) {
            this(x > 3, x, -x);
        }
    }

    class Inner {
        int get() {
            return base + new Object() {
                int hidden() {
                    return text.length();
                }
            }.hidden();
        }
    }

    static int tries(int n) {
        int result = 0;
        try {
            try {
                if (n == 1) {
                    throw new IllegalStateException("one");
                }
                if (n == 2) {
                    return result + 20;
                }
                result = 100 / n;
            } catch (ArithmeticException e) {
                result = -1;
            } finally {
                finallyRuns++;
                result += 1000;
            }
        } catch (IllegalStateException | UnsupportedOperationException e) {
            result += e.getMessage().length();
        }
        return result;
    }

    static double switches(int a, String s) {
        double d = 0.5;
        switch (a) {
            case -1: d += 1;
            case 0: d *= 2; break;
            case 1: d -= 3; break;
            case 2: case 3: return d;
            default: d = -d;
        }
        switch (a * 1000) {
            case -1000: d += 7; break;
            case 5000: d += 8; break;
            case 123456: d += 9;
        }
        switch (s) {
            case "Aa": return d + 1;
            case "BB": return d + 2;
            default: return d;
        }
    }

    /** The first instruction is the target of the loop. */
    static int loopAtStart(int[] left) {
        do {
            left[0]--;
        } while (left[0] > 0);
        return left[0];
    }

    synchronized long locked(long a, double b, int c) {
        long sum = a;
        synchronized (this) {
            for (int i = 0; i < c; i++) {
                long t = sum;
                double u = b * i;
                if (i % 3 == 0) {
                    continue;
                }
                sum = t + (long) u;
            }
        }
        return sum;
    }

    Object linked() {
        return new Object() {
            final Object inner = new Object() {
                @Override public String toString() {
                    return text + base;
                }
            };
        }.inner;
    }

    static Object nested(int n) {
        return new StringBuilder(new String(n > 0 ? new StringBuilder("p").append(n) : new StringBuilder("m")))
                .append(new Plain(n > 1 ? 1 : 2, new String("x")).base);
    }

    static int unreachableTail(List<Integer> list) {
        for (Integer i : list) {
            if (i == null) {
                throw new IllegalArgumentException(list.isEmpty() ? "empty" : "null in " + list.size());
            }
        }
        while (true) {
            if (list.remove(0) > 2) {
                return list.size();
            }
        }
    }

    static int far(int rounds) {
        int sum = 0;
        while (rounds-- > 0) {
            if (sum < 0) {
                break;
            }
            /*BODY*/
        }
        return sum;
    }

    static int farGoto(int rounds) {
        int sum = 1;
        for (;;) {
            if (rounds-- <= 0) {
                return sum;
            }
            /*BODY*/
        }
    }

    public static void main(String[] args) {
        StringBuilder out = new StringBuilder();
        for (int n = 0; n < 4; n++) {
            out.append(tries(n)).append(' ');
        }
        for (int n = -2; n < 6; n++) {
            out.append(switches(n, n % 2 == 0 ? "Aa" : n == 1 ? "BB" : "C")).append(' ');
        }
        Plain chosen = new Chosen(5);
        out.append(chosen.base).append(chosen.text).append(new Chosen(2).text).append(new Chosen(2).wide);
        out.append(chosen.new Inner().get()).append(' ').append(loopAtStart(new int[] {5})).append(' ');
        out.append(chosen.locked(3, 2.5, 10)).append(nested(2)).append(nested(0)).append(chosen.linked()).append(' ');
        List<Integer> list = new ArrayList<Integer>(java.util.Arrays.asList(1, 2, 3, 4));
        out.append(unreachableTail(list)).append(' ').append(far(3)).append(' ').append(farGoto(4)).append(' ');
        try {
            list.set(0, null);
            unreachableTail(list);
        } catch (IllegalArgumentException e) {
            out.append(e.getMessage());
            for (StackTraceElement frame : e.getStackTrace()) {
                if (!frame.getMethodName().startsWith("made$")) {
                    out.append(" at ").append(frame.getLineNumber());
                }
            }
        }
        System.out.println(out.append(' ').append(finallyRuns));
    }
}
