package sliced;

import java.util.Random;

/**
 * What users of other slicers have reported as lost, or as too much, in programs of our own: which lines belong into a slice, anyone can
 * work out by hand, and the test says so.
 */
final class Reported {
    private static int sink;

    private Reported() {}

    // Slicer4J 1: a call that is made for what it does to an array.
    static int effect() {
        int[] cells = {0, 1}; // effect: cells
        cells = raised(cells); // effect: returned
        raise(cells); // effect: called
        return cells[0]; // effect: criterion
    }

    static void raise(int[] cells) {
        cells[0] += 1; // effect: raise
    }

    static int[] raised(int[] cells) {
        cells[0] += 1; // effect: raised
        return cells; // effect: return
    }

    // Slicer4J 4: a variable that another tool's compiler took for a constant.
    static int constant() {
        int two = 2; // constant: two
        int three = 1 + two; // constant: three
        int four = 4; // constant: four
        sink = four; // constant: sink
        return three; // constant: criterion
    }

    // Slicer4J 2: behind a guard that throws, a box that may be null, and text that is put together.
    static String guarded(String text) {
        if (text.isEmpty()) { // guarded: guard
            throw new IllegalArgumentException(); // guarded: throw
        }
        Integer length = length(text); // guarded: call
        String shown = "none"; // guarded: shown
        if (length != null) { // guarded: if
            shown = "some " + shown; // guarded: join
        }
        return shown; // guarded: criterion
    }

    private static Integer length(String text) {
        int length = text.length(); // guarded: length
        if (length == 0) { // guarded: zero
            return null; // guarded: null
        }
        return length; // guarded: return
    }

    /** A node of a tree that is built by recursion. */
    private static final class Tree {
        final Tree left;
        final Tree right;
        final int weight;

        Tree(Tree left, Tree right, int weight) {
            this.left = left; // recursive: left
            this.right = right; // recursive: right
            this.weight = weight; // recursive: weight
        }
    }

    // Slicer4J 9: what deep recursion has built.
    static int recursive() {
        int unused = 9; // recursive: unused
        Tree tree = built(9); // recursive: call
        sink = unused; // recursive: sink
        return weight(tree); // recursive: criterion
    }

    private static Tree built(int height) {
        if (height == 0) { // recursive: if
            return null; // recursive: leaf
        }
        Tree left = built(height - 1); // recursive: build left
        Tree right = built(height - 1); // recursive: build right
        return new Tree(left, right, height); // recursive: new
    }

    private static int weight(Tree tree) {
        if (tree == null) { // recursive: none
            return 0; // recursive: zero
        }
        return weight(tree.left) + weight(tree.right) + tree.weight; // recursive: sum
    }

    // WALA 165: an object of the JDK's that changes with each call.
    static int random() {
        Random random = null; // random: null
        random = new Random(7); // random: new
        int number = 42; // random: first
        number = random.nextInt(); // random: next
        int product = 42 * number; // random: product
        return product; // random: criterion
    }

    // mistupv/JavaSlicer 56: an argument list of any length.
    static int variable() {
        int five = 5; // variable: five
        int eight = 8; // variable: eight
        int twelve = 12; // variable: twelve
        int total = total(five, eight, twelve); // variable: call
        return total; // variable: criterion
    }

    private static int total(int... numbers) {
        int sum = 0; // variable: sum
        for (int number : numbers) { // variable: loop
            sum += number; // variable: add
        }
        return sum; // variable: return
    }

    /** Counts. */
    private static final class Count {
        int value;

        Count(int first) {
            value = first; // counted: first
        }
    }

    // mistupv/JavaSlicer 57: a field that a constructor sets and recursion changes.
    static int counted() {
        Count count = new Count(0); // counted: new
        deeper(20, count); // counted: call
        return count.value; // counted: criterion
    }

    private static void deeper(int rounds, Count count) {
        if (rounds > 0) { // counted: if
            count.value++; // counted: add
            deeper(rounds - 1, count); // counted: again
        }
    }

    // Slicer4J 28: two outputs have nothing in common but the stream.
    static void printed() {
        int sum = 0; // printed: sum
        int product = 1; // printed: product
        for (int i = 1; i < 4; i++) { // printed: loop
            sum += i; // printed: add
            product *= i; // printed: multiply
        }
        System.out.println(sum); // printed: first
        System.out.println(product); // printed: criterion
    }

    // Slicer4J 28: of three calls of a method, one gave the value.
    static int one() {
        int a = same(1); // one: a
        int b = same(2); // one: b
        int c = same(3); // one: c
        sink = a + b; // one: sink
        return c; // one: criterion
    }

    private static int same(int number) {
        return number; // one: return
    }

    // WALA 1744: what cannot be reached is in no slice of a run.
    static int dead(int number) {
        int result = number; // dead: result
        if (number < 0 && number > 100) { // dead: if
            result = number * 1000; // dead: never
        }
        return result; // dead: criterion
    }

    public static void main(String[] args) {
        sink = effect();
        sink = constant();
        sink = guarded("text").length();
        sink = recursive();
        sink = random();
        sink = variable();
        sink = counted();
        printed();
        sink = one();
        sink = dead(5);
    }
}
