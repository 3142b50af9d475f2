package strays.app;

import strays.lib.Others;

/**
 * Calls its own shapes for long, so that the JVM has compiled that, and then those of a class that is loaded only then: what they answer is
 * the environment's business. One is in the middle of things observed.
 */
public final class Main {
    private static final int ROUNDS = 30_000;

    private Main() {
    }

    public static void main(String[] args) {
        Shape[] own = {new Square(2), new Square(3)};
        Named named = new Square(1);
        long sum = 0;
        for (int n = 0; n < ROUNDS; n++) {
            sum += total(own) + length(named);
        }
        System.out.println(sum);
        System.out.println(total(new Shape[] {new Square(4), Others.shape(), new Square(5)}));
        System.out.println(length(Others.named()) + " " + length(named));
        throw new IllegalStateException("the end");
    }

    private static int total(Shape[] shapes) {
        int sum = 0;
        for (Shape shape : shapes) {
            sum += shape.area() + shape.scaled(2) + (int) shape.stretched(0.5f) + (shape.covers(shapes[0]) ? 1 : 0);
        }
        return sum;
    }

    private static int length(Named named) {
        return named.name().length();
    }
}
