import java.util.List;

/** Records, sealed types, switch expressions, patterns. */
public class Modern {
    sealed interface Node permits Leaf, Pair {}

    record Leaf(long value) implements Node {}

    record Pair(Node left, Node right) implements Node {
        Pair {
            if (left == null) {
                throw new NullPointerException("left of " + right);
            }
        }
    }

    static long sum(Node node) {
        if (node instanceof Leaf leaf && leaf.value() != 3) {
            return leaf.value();
        }
        return node instanceof Pair p ? sum(p.left()) + sum(p.right()) : 0;
    }

    static String day(int n) {
        return switch (n) {
            case 1, 7 -> "off";
            case 2 -> {
                try {
                    yield "on" + List.of(n, n + 1);
                } finally {
                    n++;
                }
            }
            default -> throw new IllegalArgumentException(String.valueOf(n));
        };
    }

    public static void main(String[] args) {
        Node tree = new Pair(new Leaf(1), new Pair(new Leaf(3), new Leaf(40)));
        StringBuilder out = new StringBuilder().append(sum(tree)).append(tree).append(day(1)).append(day(2));
        for (int i = 0; i < 2; i++) {
            try {
                out.append(i == 0 ? day(3) : new Pair(null, tree));
            } catch (RuntimeException e) {
                out.append(e.getMessage());
            }
        }
        System.out.println(out);
    }
}
