import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** What javac makes of lambdas, string concatenation, default and static interface methods. */
public class Lambdas {
    interface Shape {
        double area();

        default String show() {
            return "area " + area() + own();
        }

        static Shape square(double side) {
            return () -> side * side;
        }

        default String own() {
            return Shape.square(2).area() > 3 ? "!" : "?";
        }
    }

    enum Color {
        RED, GREEN { @Override int code() { return 7; } };

        int code() {
            return ordinal();
        }
    }

    static <T> T twice(Function<T, T> f, T x) {
        return f.apply(f.apply(x));
    }

    public static void main(String[] args) throws Exception {
        long wide = args.length + 5L;
        Supplier<String> made = () -> "w" + wide + Shape.square(3).show();
        StringBuilder out = new StringBuilder(made.get());
        out.append(twice(s -> s + s.length(), "ab"));
        out.append(IntStream.range(0, 20).filter(i -> i % 3 == 0).mapToObj(Integer::toString).reduce("", String::concat));
        for (Color c : Color.values()) {
            switch (c) {
                case RED: out.append('r'); break;
                default: out.append(c.code());
            }
        }
        try (AutoCloseable first = () -> out.append("closed"); AutoCloseable second = () -> { throw new Exception("close"); }) {
            out.append("in");
        } catch (Exception e) {
            out.append(e.getMessage());
        } finally {
            out.append("end");
        }
        System.out.println(out);
    }
}
