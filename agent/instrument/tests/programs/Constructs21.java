import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** What the language has since Java 21: patterns in switches, records taken apart, sealed types; and hidden classes. */
public class Constructs21 {
    sealed interface Shape permits Circle, Box, Nothing {}

    record Circle(Point centre, int radius) implements Shape {}

    record Box(Point from, Point to) implements Shape {}

    enum Nothing implements Shape { NOTHING, ELSE }

    record Point(int x, int y) {
        Point {
            if (x < -100) {
                throw new IllegalArgumentException("far " + x);
            }
        }
    }

    record Pair<A, B>(A first, B second) {}

    static String described(Object o) {
        return switch (o) {
            case null -> "null";
            case Circle(Point(var x, var y), int r) when r > 10 -> "large circle at " + x + "," + y;
            case Circle c -> "circle " + c.radius();
            case Box(Point a, Point(int x, int y)) when a.x() < x -> "box to " + x + "," + y;
            case Box b -> "strange " + b;
            case Nothing.NOTHING -> "nothing";
            case Nothing n -> "else " + n.ordinal();
            case Integer i when i > 5 -> "number " + (i + 1);
            case Integer i -> "small " + i;
            case String s when s.isEmpty() -> "empty";
            case String s -> s.charAt(0) + "…" + s.length();
            case int[] a -> "ints " + a.length;
            case Pair(Pair(var a, var b), String c) -> "" + a + b + c;
            default -> o.getClass().getSimpleName();
        };
    }

    static int area(Shape shape) {
        return switch (shape) {
            case Circle(var centre, var radius) -> 3 * radius * radius;
            case Box(Point(var a, var b), Point(var c, var d)) -> (c - a) * (d - b);
            case Nothing n -> 0;
        };
    }

    /** Is defined once more, as a hidden class. */
    static class Hidden implements Supplier<String> {
        private static int made;
        private final int number = ++made;

        @Override
        public String get() {
            // Lambdas of a hidden class cannot have its own type among what they capture.
            int own = number;
            Supplier<String> inner = () -> "hidden " + own + " of " + made;
            return inner.get() + (getClass().isHidden() ? " indeed" : "");
        }
    }

    @SuppressWarnings("unchecked")
    static Supplier<String> hidden() throws Exception {
        try (InputStream in = Constructs21.class.getResourceAsStream("Constructs21$Hidden.class")) {
            Class<?> c = MethodHandles.lookup().defineHiddenClass(in.readAllBytes(), true).lookupClass();
            return (Supplier<String>) c.getDeclaredConstructor().newInstance();
        }
    }

    private int secret = 4;

    class Nested {
        private int own = secret * 2;

        int both() {
            return own + secret++ + Constructs21.this.secret;
        }
    }

    public static void main(String[] args) throws Exception {
        Point origin = new Point(0, 0);
        Object[] all = {null, new Circle(origin, 20), new Circle(origin, 2), new Box(origin, new Point(3, 4)),
            new Box(new Point(9, 9), origin), Nothing.NOTHING, Nothing.ELSE, 7, 3, "", "text", new int[3],
            new Pair<>(new Pair<>(1, 'c'), "s"), new Pair<>(1, 2), List.of()};
        for (Object o : all) {
            System.out.println(described(o));
        }
        System.out.println(area(new Box(origin, new Point(3, 4))) + area(new Circle(origin, 2)) + area(Nothing.ELSE));
        Map<Point, String> map = new LinkedHashMap<>();
        map.put(new Point(1, 2), "a");
        System.out.println(map.get(new Point(1, 2)) + map + new Point(1, 2).hashCode());
        System.out.println(hidden().get() + " " + new Hidden().get());
        Constructs21 outer = new Constructs21();
        Nested nested = outer.new Nested();
        nested.own++;
        System.out.println(nested.both() + outer.secret);
        if (outer instanceof Constructs21 c && c.secret == 5 && all[1] instanceof Circle(Point(int x, int y), var r)) {
            System.out.println(x + y + r);
        }
        System.out.println(described(new Box(new Point(-101, 0), origin)));
    }
}
