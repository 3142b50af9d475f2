import java.io.Closeable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** Prints what all kinds of code come to: values, messages of the virtual machine, stack traces, order of effects. */
public class Constructs {
    static int calls;
    int field;
    String text;
    int[] numbers = {1, 2, 3};
    Constructs other;

    static class Base {
        final String made;

        Base(int a, long b, double c, String d) {
            made = a + ":" + b + ":" + c + ":" + d;
            hook();
        }

        void hook() {
            System.out.println("base hook");
        }
    }

    static class Derived extends Base {
        int late = 5;

        Derived(boolean which, long n) {
            super(which ? 1 : twice(2), n + 1, which ? 0.5 : -0.0, "d" + n);
        }

        Derived(String text) {
            this(text.length() > 2, text.length());
        }

        @Override
        void hook() {
            System.out.println("derived hook " + late);
        }
    }

    static class Failing extends Base {
        Failing(String s) {
            super(Integer.parseInt(s), 1, 2, s);
        }
    }

    static class Resource implements Closeable {
        final String name;

        Resource(String name) {
            this.name = name;
            System.out.println("open " + name);
        }

        @Override
        public void close() {
            System.out.println("close " + name);
            throw new IllegalStateException("closing " + name);
        }
    }

    interface Shape {
        double area();

        default String described() {
            return name() + " " + area();
        }

        private String name() {
            return getClass().getSimpleName();
        }

        static Shape square(double side) {
            return () -> side * side;
        }
    }

    record Circle(double radius) implements Shape {
        Circle {
            if (radius < 0) {
                throw new IllegalArgumentException("radius " + radius);
            }
        }

        @Override
        public double area() {
            return 3 * radius * radius;
        }
    }

    enum Kind {
        LOW { @Override int weigh(int n) { return n; } },
        HIGH { @Override int weigh(int n) { return n * 100; } };

        abstract int weigh(int n);
    }

    static int twice(int n) {
        calls++;
        return 2 * n;
    }

    static String wide(byte a, short b, char c, int d, long e, float f, double g, boolean h, Object i, int... rest) {
        return a + "," + b + "," + c + "," + d + "," + e + "," + f + "," + g + "," + h + "," + i + "," + Arrays.toString(rest);
    }

    static String failure(Runnable body) {
        try {
            body.run();
            return "none";
        } catch (RuntimeException | StackOverflowError e) {
            StringBuilder out = new StringBuilder(e.getClass().getName()).append(": ").append(e.getMessage());
            StackTraceElement[] frames = e.getStackTrace();
            for (int i = 0; i < Math.min(2, frames.length); i++) {
                if (frames[i].getClassName().startsWith("Constructs")) {
                    out.append(" at ").append(frames[i].getMethodName()).append(':').append(frames[i].getLineNumber());
                }
            }
            return out.toString();
        }
    }

    static void messages(Constructs c, int[] none, long[][] rows, Object o) {
        System.out.println(failure(() -> System.out.println(c.other.field)));
        System.out.println(failure(() -> c.other.field = 3));
        System.out.println(failure(() -> c.other.other.instance(1, 2L, "x")));
        System.out.println(failure(() -> c.find(7).instance(twice(3), 4L, c.text)));
        System.out.println(failure(() -> System.out.println(none[twice(1)])));
        System.out.println(failure(() -> none[0] = twice(2)));
        System.out.println(failure(() -> rows[1][0]++));
        System.out.println(failure(() -> System.out.println(none.length)));
        System.out.println(failure(() -> System.out.println(c.numbers[3])));
        System.out.println(failure(() -> System.out.println(((String) o).length())));
        System.out.println(failure(() -> ((Object[]) new String[1])[0] = 1));
        System.out.println(failure(() -> System.out.println(1 / (c.field - c.field))));
        System.out.println(failure(() -> { synchronized (c.other) { System.out.println("never"); } }));
        System.out.println(failure(() -> { throw (RuntimeException) c.find(1).thing(); }));
        System.out.println(failure(() -> new Circle(-1)));
        System.out.println(failure(() -> new Failing("x")));
        System.out.println(failure(() -> System.out.println(new int[c.field - 1].length)));
    }

    Constructs find(int n) {
        return n == 7 ? null : this;
    }

    Object thing() {
        return null;
    }

    long instance(int a, long b, String s) {
        return a + b + s.length();
    }

    static int unwinding(int n) {
        int result = 0;
        outer:
        for (int i = 0; i < n; i++) {
            try {
                if (i == 2) {
                    continue outer;
                }
                try (Resource r = new Resource("r" + i)) {
                    if (i == 3) {
                        throw new IllegalArgumentException("in " + r.name);
                    }
                    result += i;
                }
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage() + " then " + e.getSuppressed()[0].getMessage());
            } catch (IllegalStateException e) {
                System.out.println(e.getMessage());
            } finally {
                result = result * 10 + 1;
                if (i == 4) {
                    break outer;
                }
            }
        }
        return result;
    }

    @SuppressWarnings("finally")
    static int overriding() {
        try {
            throw new IllegalStateException();
        } finally {
            return 42;
        }
    }

    static synchronized long arrays() {
        boolean[] z = {true, false};
        byte[] b = {1, -2};
        char[] c = {'a', '\uffff'};
        short[] s = {3, -4};
        int[] i = {5, Integer.MIN_VALUE};
        long[] j = {6, Long.MIN_VALUE};
        float[] f = {7.5f, Float.NaN};
        double[] d = {8.5, -0.0};
        Object[] l = {"x", null};
        z[1] |= z[0];
        b[1] += 200;
        c[0]++;
        s[0] <<= 2;
        i[0] ^= i[1];
        j[1]--;
        f[0] *= 2;
        d[1] -= d[0];
        l[1] = l[0];
        System.out.println(Arrays.toString(z) + Arrays.toString(b) + (int) c[0] + Arrays.toString(s) + Arrays.toString(i)
            + Arrays.toString(j) + Arrays.toString(f) + Arrays.toString(d) + Arrays.toString(l));
        long[][][] deep = new long[2][3][];
        deep[1][2] = new long[] {9};
        return deep[1][2][0]++ + ++deep[1][2][0];
    }

    static String switches(Object o, int n) {
        String a = switch (n) { case 1, 2 -> "few"; case 1000 -> "many"; default -> { twice(n); yield "some"; } };
        switch (String.valueOf(o)) {
            case "Aa": case "BB": return a + " same hash";
            case "null": return a + " null";
            default: return a + (o instanceof String t && t.length() > 3 ? " long " + t : " short");
        }
    }

    static int overflow(int n) {
        return overflow(n + 1) + 1;
    }

    static <T extends Comparable<T>> T largest(List<? extends T> all) {
        T best = null;
        for (T each : all) {
            if (best == null || each.compareTo(best) > 0) {
                best = each;
            }
        }
        return best;
    }

    public static void main(String[] args) throws Exception {
        Constructs c = new Constructs();
        messages(c, null, new long[2][], 5);
        System.out.println(new Derived("abc").made + new Derived("a").made + calls);
        System.out.println(unwinding(6) + " " + overriding() + " " + arrays());
        System.out.println(switches("BB", 1) + switches(null, 1000) + switches("longer", 5) + switches("x", 2));
        System.out.println(wide((byte) -1, (short) -2, 'c', 4, -5L, 6.5f, 7.5, true, null, 8, 9));
        System.out.println(failure(() -> overflow(0)).substring(0, 29));
        System.out.println(new Circle(2).described() + Shape.square(3).area() + new Circle(1) + new Circle(1).equals(new Circle(1)));
        System.out.println(Kind.valueOf("HIGH").weigh(3) + Arrays.toString(Kind.values()) + Kind.LOW.ordinal());
        Function<String, Integer> length = String::length;
        Supplier<List<String>> make = ArrayList::new;
        IntSupplier bound = c.numbers.clone()::hashCode;
        List<String> made = make.get();
        Collections.addAll(made, "pear", "fig");
        System.out.println(length.apply("four") + largest(made) + (bound.getAsInt() == bound.getAsInt()));
        Object anonymous = new Object() {
            final int copy = c.field + calls;

            @Override
            public String toString() {
                return "anonymous " + copy + " " + c.text;
            }
        };
        System.out.println(anonymous);
        Thread thread = new Thread(() -> {
            synchronized (c) {
                c.field = 11;
                c.notifyAll();
            }
        });
        synchronized (c) {
            thread.start();
            while (c.field != 11) {
                c.wait();
            }
        }
        thread.join();
        System.out.println(c.field + " " + Constructs.class.getDeclaredMethod("twice", int.class).invoke(null, 21));
        c.find(7).instance(1, 2L, "the end");
    }
}
