package sliced;

/** The worked examples of dynamic slicing: which lines a criterion depends on is written down in the test. */
final class Golden {
    private int calls;

    private Golden() {}

    // The loop of Wang 2007, Figure 3.1.
    int foo(int j) {
        int ret;
        if (j % 2 == 1) {
            ret = 2; // foo: odd
        } else {
            ret = 5; // foo: even
        }
        calls++; // foo: calls
        return ret; // foo: return
    }

    static int sum() {
        Golden obj = new Golden(); // sum: object
        int[] arr = new int[4]; // sum: array
        int k = 1; // sum: start
        for (int i = 0; i < 4; i++) { // sum: loop
            arr[i] = k; // sum: store
            k = k + obj.foo(i); // sum: add
        }
        return k; // sum: criterion
    }

    // JMeter's setRunningVersion, Wang 2007, Figure 2.1.
    static boolean runningVersion;
    static String savedValue;

    static String jmeter(boolean running, String value) {
        runningVersion = running; // jmeter: field
        if (running) { // jmeter: if
            savedValue = value; // jmeter: then
        } else {
            savedValue = ""; // jmeter: else
        }
        return savedValue; // jmeter: criterion
    }

    // NanoXML's reader: the branch that is not taken is no matter of a dynamic slice.
    static String nanoxml(String input) {
        int at = 0; // nanoxml: at
        StringBuilder buffer = new StringBuilder(); // nanoxml: buffer
        char ch = input.charAt(at++); // nanoxml: read
        buffer.append(ch); // nanoxml: append
        if (ch == ' ') { // nanoxml: if
            while (ch != ';') { // nanoxml: while
                ch = input.charAt(at++); // nanoxml: more
                buffer.append(ch); // nanoxml: again
            }
        }
        return buffer.toString(); // nanoxml: criterion
    }

    // What depends on an exception, and what follows in any case.
    static int parsed(String text) {
        int tries = 0; // parsed: tries
        int value;
        try {
            tries++; // parsed: try
            value = Integer.parseInt(text); // parsed: parse
        } catch (NumberFormatException e) {
            value = -1; // parsed: caught
        } finally {
            calls(); // parsed: finally
        }
        tries++; // parsed: after
        return value; // parsed: criterion
    }

    static int count;

    static void calls() {
        count++; // calls: count
    }

    // Elements, not arrays; a copy; a collection that only the JDK sees into.
    static int copied() {
        int[] from = {1, 2, 3}; // copied: from
        from[1] = 20; // copied: one
        from[2] = 30; // copied: two
        int[] into = new int[3]; // copied: into
        System.arraycopy(from, 0, into, 0, 3); // copied: copy
        from[1] = 200; // copied: too late
        java.util.List<Integer> list = new java.util.ArrayList<>(); // copied: list
        java.util.List<Integer> other = new java.util.ArrayList<>(); // copied: other list
        other.add(7); // copied: other add
        list.add(into[1]); // copied: add
        return list.get(0); // copied: criterion
    }

    // Code that the JDK calls back.
    static int sorted() {
        Integer[] numbers = {3, 1, 2}; // sorted: numbers
        int unused = numbers.length; // sorted: unused
        java.util.Arrays.sort(numbers, Golden::compare); // sorted: sort
        return numbers[0]; // sorted: criterion
    }

    static int compare(Integer a, Integer b) {
        count++; // compare: count
        return a - b; // compare: return
    }

    static int last(int n) {
        int result = 0; // last: start
        switch (n) { // last: switch
            case 1:
                result = 10; // last: one
                break;
            case 2:
                result = 20; // last: two
                break;
            default:
                result = 30; // last: other
        }
        return result; // last: criterion
    }

    // A constructor that an exception leaves before its object is initialized makes no event of its end.
    static class Base {
        final int size;

        Base(int size) {
            if (size < 0) { // unborn: check
                throw new IllegalArgumentException("size"); // unborn: throw
            }
            this.size = size;
        }
    }

    static final class Derived extends Base {
        Derived(int size, int unused) {
            super(size - 10); // unborn: less
            count += unused;
        }

        Derived(int size) {
            this(size, count); // unborn: default
        }
    }

    static int unborn(int size) {
        int unused = size + 1; // unborn: unused
        int doubled = size * 2; // unborn: double
        try {
            return new Derived(doubled).size + unused; // unborn: new
        } catch (IllegalArgumentException e) {
            return -1; // unborn: criterion
        }
    }

    // Nothing is between the end of the call and the loop.
    static int waited(int rounds) {
        int done = 0; // waited: none
        calls(); // waited: first
        while (done < rounds) { // waited: loop
            done++; // waited: count
            calls(); // waited: again
        }
        return done; // waited: criterion
    }

    static void fails(int divisor) {
        int unused = sum(); // fails: unused
        int zero = divisor - 3; // fails: zero
        try {
            unused += 100 / zero; // fails: divide
        } catch (ArithmeticException e) {
            throw new IllegalStateException("divided by " + zero, e); // fails: throw
        }
    }

    public static void main(String[] args) {
        sum();
        jmeter(false, "x"); // main: jmeter
        nanoxml("&abc;"); // main: nanoxml
        parsed("nonsense"); // main: parsed
        copied();
        sorted();
        last(2); // main: last
        unborn(3);
        waited(3); // main: waited
        fails(3); // main: fails
    }
}
