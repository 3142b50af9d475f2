package sliced;

/** The worked examples of relevant slicing: which lines a criterion depends on is written down in the test. */
final class Potential {
    private Potential() {}

    // Wang 2007, Figure 4.1: what decided that the inner branch ran is no matter.
    static int nested(int start) {
        int a = start; // nested: a
        int k = 1; // nested: k
        if (a > 1) { // nested: outer
            if (a > 3) { // nested: inner
                k = 3; // nested: set
            }
        }
        return k; // nested: criterion
    }

    // Figure 4.3: but what decided the value that the branch used is.
    static int chained() {
        int z = 0; // chained: z
        int x = 2; // chained: x
        int y = 2; // chained: y
        if (x > 1) { // chained: first
            y = 1; // chained: set y
        }
        if (y != 1) { // chained: second
            z = 3; // chained: set z
        }
        return z; // chained: criterion
    }

    // Figure 4.5: a branch in a loop, of whose rounds one matters.
    static int looped() {
        int z = 0; // looped: z
        int x = 1; // looped: x
        for (int i = 0; i < 3; i++) { // looped: loop
            if (x % 2 == 0) { // looped: if
                z = 4; // looped: set z
            }
            x = i; // looped: set x
        }
        return z; // looped: criterion
    }

    // NanoXML's reader: the branch should have been taken.
    static String nanoxml(String input) {
        int at = 0; // nanoxml: at
        StringBuilder buffer = new StringBuilder(); // nanoxml: buffer
        char ch = input.charAt(at++); // nanoxml: read
        buffer.append(ch); // nanoxml: append
        int unused = 0; // nanoxml: unused
        if (ch == ' ') { // nanoxml: if
            while (ch != ';') { // nanoxml: while
                ch = input.charAt(at++); // nanoxml: more
                buffer.append(ch); // nanoxml: again
            }
        }
        if (ch == '!') { // nanoxml: other
            unused++; // nanoxml: used
        }
        return buffer.toString(); // nanoxml: criterion
    }

    static class Holder {
        int value = 1; // holder: value
    }

    static class Setter {
        void set(Holder holder) {}
    }

    static final class RealSetter extends Setter {
        @Override
        void set(Holder holder) {
            holder.value = 2;
        }
    }

    // Another class' method would have set it.
    static int dispatched(boolean real) {
        Holder holder = new Holder(); // dispatched: holder
        Setter setter = real ? new RealSetter() : new Setter(); // dispatched: setter
        setter.set(holder); // dispatched: call
        return holder.value; // dispatched: criterion
    }

    // What a method that is called on the other way would have set, and an array of another type.
    static int[] numbers = {1, 2};
    static char[] letters = {'a'};

    static int called(int n) {
        if (n > 5) { // called: numbers
            fill();
        }
        if (n > 6) { // called: letters
            letters[0] = 'b';
        }
        return numbers[1]; // called: criterion
    }

    static void fill() {
        numbers[0] = 9;
    }

    public static void main(String[] args) {
        nested(2); // main: nested
        chained();
        looped();
        nanoxml("&abc;"); // main: nanoxml
        new RealSetter().set(new Holder());
        dispatched(false); // main: dispatched
        called(3); // main: called
    }
}
