package constructs;

import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.Supplier;

/** What the language of Java 11 makes of class files. What is printed and recorded is the same on every JDK. */
public final class Main {
    static final int[] TABLE;
    private static int instances;

    static {
        TABLE = new int[] {3, 1, 2};
    }

    private final String name;
    private transient volatile int state = 1;

    {
        instances++;
    }

    Main(String name) {
        this.name = name;
    }

    /** Takes no arguments; ends by an exception. */
    public static void main(String[] args) throws Exception {
        arithmetic();
        arrays();
        Main main = new Main("main");
        main.classes();
        main.lambdas();
        System.out.println(switches(7) + switches(-1) + switches("two") + switches("Aa") + switches("BB"));
        System.out.println(Shape.CIRCLE.area(2) + " " + Shape.valueOf("SQUARE").area(2) + " " + Shape.values().length);
        exceptions();
        main.locks();
        reflection();
        generics();
        many(1, 2L, 3.0f, 4.0, (byte) 5, (short) 6, 'c', true, "s", null, new int[0]);
        System.out.println(wide(5) + " " + instances);
        throw new Problem("the end", new IOException("the cause"));
    }

    private static void arithmetic() {
        int i = Integer.MAX_VALUE;
        i += 2;
        i >>>= 3;
        long l = (long) i << 33 ^ -5L;
        float f = (float) l / 3;
        double d = f % 7.5;
        byte b = (byte) 300;
        short s = (short) 70000;
        char c = (char) (b + 'a');
        c++;
        boolean odd = (i & 1) == 1 ^ l > 0 || !(d < 0);
        System.out.println(i + " " + l + " " + f + " " + d + " " + b + " " + s + " " + c + " " + odd + " " + (i > s ? ~i : -s)
            + " " + (int) Double.NaN + " " + Math.floorMod(-7, 3) + " " + 7 / -2 + " " + 0x1.8p1 + " " + (char) 0x2603);
    }

    private static void arrays() {
        int[][] grid = new int[3][4];
        for (int[] row : grid) {
            for (int x = 0; x < row.length; x++) {
                row[x] += x * TABLE[x % TABLE.length]--;
            }
        }
        long[] longs = {1, 2};
        longs[1] <<= 40;
        double[] doubles = {.5};
        boolean[] flags = new boolean[2];
        flags[1] |= true;
        byte[] bytes = {1};
        bytes[0] -= 3;
        char[] chars = "xyz".toCharArray();
        short[] shorts = {9};
        float[] floats = {1.25f};
        Object[] objects = {1, "two", null, new Object[] {grid}};
        System.out.println(Arrays.deepToString(grid) + longs[1] + doubles[0] + flags[1] + bytes[0] + chars[2] + shorts[0]
            + floats[0] + objects.length + grid.clone()[1].length);
    }

    /** Member, local and anonymous classes, and what they reach of the enclosing one. */
    private void classes() {
        class Local extends Base {
            Local() {
                super("local of " + Main.this.name);
            }

            @Override
            String text() {
                return super.text() + state;
            }
        }
        Base anonymous = new Base("anonymous") {
            private int calls;

            @Override
            String text() {
                return ++calls + super.text() + Main.this.name;
            }
        };
        Inner inner = this.new Inner();
        inner.secret = 42;
        System.out.println(new Local().text() + " " + anonymous.text() + " " + inner.hidden() + " " + new Nested().reach(this)
            + " " + anonymous.described() + " " + Described.twice("x"));
    }

    private void lambdas() {
        int offset = 10;
        IntBinaryOperator plus = (var a, var b) -> a + b + offset + state;
        Function<String, Integer> length = String::length;
        Supplier<Main> maker = () -> new Main("made");
        Function<String, Main> constructor = Main::new;
        BiFunction<Base, String, Boolean> bound = Base::named;
        Supplier<String> own = this::toString;
        List<Integer> sorted = new ArrayList<>(List.of(3, 1, 2));
        Collections.sort(sorted, (a, b) -> b - a);
        System.out.println(plus.applyAsInt(1, 2) + " " + length.apply("four") + maker.get().name + constructor.apply("new").name
            + bound.apply(new Base("b"), "b") + own.get() + sorted + sorted.stream().map(n -> n * n).reduce(0, Integer::sum));
    }

    @Override
    public String toString() {
        return "Main " + name;
    }

    private static String switches(int value) {
        switch (value) {
            case 1:
            case 2:
                return "few";
            case 7:
                value++;
                // falls through
            case 8:
                return "eight " + value;
            case Integer.MIN_VALUE:
                return "least";
            default:
                return "other";
        }
    }

    private static String switches(String value) {
        switch (value) {
            case "Aa":
                return "first";
            case "BB":
                return "second";
            case "two":
                return "2";
            default:
                return "none";
        }
    }

    private static void exceptions() {
        outer:
        for (int n = 0;; n++) {
            try {
                switch (n) {
                    case 0: throw new IllegalStateException("zero");
                    case 1: Object[] strings = new String[1]; strings[0] = n; break;
                    case 2: continue outer;
                    case 3: System.out.println((String) (Object) n); break;
                    case 4: System.out.println(TABLE[n]); break;
                    case 5: System.out.println(n / (n - 5)); break;
                    case 6: throw (RuntimeException) null;
                    default: break outer;
                }
            } catch (IllegalStateException | ArrayStoreException e) {
                System.out.println("caught " + e.getMessage());
            } catch (RuntimeException e) {
                System.out.println("caught " + e.getClass().getName());
            } finally {
                System.out.println("finally " + n);
            }
        }
        try (Resource a = new Resource("a"); Resource b = new Resource("b")) {
            System.out.println(a.name + b.name);
            throw new IOException("body");
        } catch (IOException e) {
            System.out.println(e.getMessage() + " " + Arrays.toString(e.getSuppressed()));
        }
        System.out.println(returns(1) + returns(0));
    }

    @SuppressWarnings("finally")
    private static int returns(int n) {
        try {
            return 10 / n;
        } catch (ArithmeticException e) {
            return -1;
        } finally {
            instances += n;
        }
    }

    private void locks() throws InterruptedException {
        Thread other = new Thread(() -> {
            for (int n = 0; n < 100; n++) {
                bump();
            }
        }, "other");
        other.start();
        other.join();
        synchronized (this) {
            state++;
            synchronized (TABLE) {
                TABLE[0]++;
            }
        }
        System.out.println(state + " " + TABLE[0]);
    }

    private synchronized void bump() {
        state++;
    }

    private static void reflection() throws ReflectiveOperationException {
        InvocationHandler handler = (proxy, method, arguments) -> method.getName() + Arrays.toString(arguments);
        Described proxy = (Described) Proxy.newProxyInstance(Main.class.getClassLoader(), new Class<?>[] {Described.class}, handler);
        System.out.println(proxy.name() + " " + Base.class.getDeclaredConstructor(String.class).newInstance("made").text());
        try {
            Main.class.getDeclaredMethod("fail", int.class).invoke(null, 3);
        } catch (InvocationTargetException e) {
            System.out.println(e.getCause().getMessage());
        }
    }

    private static void fail(int code) {
        throw new UnsupportedOperationException("code " + code);
    }

    /** A bridge method calls the one with the real type. */
    private static void generics() {
        Comparable<Version> low = new Version(1);
        System.out.println(low.compareTo(new Version(2)) + " " + first(List.of("f", "g")) + " " + Version.max(new Version(4), new Version(3)).number);
    }

    @SafeVarargs
    private static <T> T first(List<T>... lists) {
        return lists[0].get(0);
    }

    private static void many(int i, long l, float f, double d, byte b, short s, char c, boolean z, String t, Object o, int... rest) {
        System.out.println(i + l + f + d + b + s + "" + c + z + t + o + rest.length);
    }

    /** More than 255 slots of locals. */
    private static long wide(int n) {
        long a00 = n, a01 = a00 + 1, a02 = a01 + 1, a03 = a02 + 1, a04 = a03 + 1, a05 = a04 + 1, a06 = a05 + 1, a07 = a06 + 1;
        long b00 = a07, b01 = b00 + 1, b02 = b01 + 1, b03 = b02 + 1, b04 = b03 + 1, b05 = b04 + 1, b06 = b05 + 1, b07 = b06 + 1;
        long c00 = b07, c01 = c00 + 1, c02 = c01 + 1, c03 = c02 + 1, c04 = c03 + 1, c05 = c04 + 1, c06 = c05 + 1, c07 = c06 + 1;
        long d00 = c07, d01 = d00 + 1, d02 = d01 + 1, d03 = d02 + 1, d04 = d03 + 1, d05 = d04 + 1, d06 = d05 + 1, d07 = d06 + 1;
        long e00 = d07, e01 = e00 + 1, e02 = e01 + 1, e03 = e02 + 1, e04 = e03 + 1, e05 = e04 + 1, e06 = e05 + 1, e07 = e06 + 1;
        long f00 = e07, f01 = f00 + 1, f02 = f01 + 1, f03 = f02 + 1, f04 = f03 + 1, f05 = f04 + 1, f06 = f05 + 1, f07 = f06 + 1;
        long g00 = f07, g01 = g00 + 1, g02 = g01 + 1, g03 = g02 + 1, g04 = g03 + 1, g05 = g04 + 1, g06 = g05 + 1, g07 = g06 + 1;
        long h00 = g07, h01 = h00 + 1, h02 = h01 + 1, h03 = h02 + 1, h04 = h03 + 1, h05 = h04 + 1, h06 = h05 + 1, h07 = h06 + 1;
        long i00 = h07, i01 = i00 + 1, i02 = i01 + 1, i03 = i02 + 1, i04 = i03 + 1, i05 = i04 + 1, i06 = i05 + 1, i07 = i06 + 1;
        long j00 = i07, j01 = j00 + 1, j02 = j01 + 1, j03 = j02 + 1, j04 = j03 + 1, j05 = j04 + 1, j06 = j05 + 1, j07 = j06 + 1;
        long k00 = j07, k01 = k00 + 1, k02 = k01 + 1, k03 = k02 + 1, k04 = k03 + 1, k05 = k04 + 1, k06 = k05 + 1, k07 = k06 + 1;
        long l00 = k07, l01 = l00 + 1, l02 = l01 + 1, l03 = l02 + 1, l04 = l03 + 1, l05 = l04 + 1, l06 = l05 + 1, l07 = l06 + 1;
        long m00 = l07, m01 = m00 + 1, m02 = m01 + 1, m03 = m02 + 1, m04 = m03 + 1, m05 = m04 + 1, m06 = m05 + 1, m07 = m06 + 1;
        long n00 = m07, n01 = n00 + 1, n02 = n01 + 1, n03 = n02 + 1, n04 = n03 + 1, n05 = n04 + 1, n06 = n05 + 1, n07 = n06 + 1;
        long o00 = n07, o01 = o00 + 1, o02 = o01 + 1, o03 = o02 + 1, o04 = o03 + 1, o05 = o04 + 1, o06 = o05 + 1, o07 = o06 + 1;
        long p00 = o07, p01 = p00 + 1, p02 = p01 + 1, p03 = p02 + 1, p04 = p03 + 1, p05 = p04 + 1, p06 = p05 + 1, p07 = p06 + 1;
        int counter = 0;
        for (; counter < 300; counter += 200) {
            p07 += Math.abs(TABLE[1]);
        }
        return p07 + a00 + h05 + counter;
    }

    private final class Inner {
        private int secret;

        private int hidden() {
            return secret + state + name.length();
        }
    }

    private static final class Nested {
        private String reach(Main main) {
            main.state += 5;
            return main.name + main.state;
        }
    }

    private static final class Resource implements Closeable {
        private final String name;

        Resource(String name) {
            this.name = name;
        }

        @Override
        public void close() throws IOException {
            throw new IOException("close " + name);
        }
    }

    private static final class Version implements Comparable<Version> {
        private final int number;

        Version(int number) {
            this.number = number;
        }

        @Override
        public int compareTo(Version other) {
            return Integer.compare(number, other.number);
        }

        static <T extends Comparable<? super T>> T max(T a, T b) {
            return a.compareTo(b) > 0 ? a : b;
        }
    }

    /** The exception that ends the program. */
    private static final class Problem extends Exception {
        private static final long serialVersionUID = 1;

        Problem(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
