package golden;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Every way an exception comes about and goes on. Prints what becomes of each; the last one ends the program. */
final class Exceptions {
    private static int depth;

    private Exceptions() {}

    interface Body {
        void run() throws Throwable;
    }

    public static void main(String[] args) {
        attempt("divide", () -> div(1, 0));
        attempt("null", () -> length(null));
        attempt("index", () -> element(new int[1], 1));
        attempt("size", () -> array(-1));
        attempt("cast", () -> text(depth));
        attempt("store", () -> store(new Integer[1], "text"));
        attempt("checked", () -> checked("missing"));
        attempt("sneaky", () -> Exceptions.<RuntimeException>sneak(new IOException("unchecked")));
        attempt("assertion", () -> assertion(false));
        attempt("rethrown", Exceptions::rethrow);
        attempt("replaced", Exceptions::replace);
        attempt("suppressed", Exceptions::suppress);
        attempt("initializer", () -> Broken.touch());
        attempt("initializer again", () -> Broken.touch());
        attempt("before super", () -> new Built(div(1, 0)));
        attempt("in super", () -> new Built(-1));
        attempt("after super", () -> new Built(0));
        attempt("native", () -> Integer.parseInt("x"));
        attempt("overflow", Exceptions::overflow);
        attempt("memory", () -> array(Integer.MAX_VALUE));
        attempt("death", () -> die());
        attempt("monitor", () -> new Object().notify());
        throw new IllegalStateException("the end");
    }

    private static void attempt(String name, Body body) {
        try {
            body.run();
            System.out.println(name + ": nothing");
        } catch (Throwable t) {
            System.out.println(name + ": " + t.getClass().getName() + (depth == 0 ? "" : " " + (depth > 500)));
            depth = 0;
        }
    }

    private static int div(int a, int b) {
        return a / b;
    }

    private static int length(String text) {
        return text.length();
    }

    private static int element(int[] array, int index) {
        return array[index];
    }

    private static int array(int size) {
        return new int[size].length;
    }

    private static String text(Object o) {
        return (String) o;
    }

    private static void store(Object[] array, Object value) {
        array[0] = value;
    }

    private static void checked(String name) throws IOException {
        throw new IOException(name);
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable t) throws T {
        throw (T) t;
    }

    private static void assertion(boolean holds) {
        if (!holds) {
            throw new AssertionError("does not hold");
        }
    }

    private static void rethrow() {
        try {
            div(2, 0);
        } catch (ArithmeticException e) {
            throw e;
        } finally {
            depth = 0;
        }
    }

    private static void replace() throws IOException {
        try {
            div(3, 0);
        } catch (ArithmeticException e) {
            throw new IOException("instead", e);
        }
    }

    private static void suppress() throws Exception {
        try (AutoCloseable closed = () -> checked("closing")) {
            div(4, 0);
        }
    }

    private static void overflow() {
        depth++;
        overflow();
    }

    private static void die() {
        throw new Death();
    }

    /** Ends a thread that does not look at errors closely. */
    static final class Death extends Error {
        private static final long serialVersionUID = 1;
    }

    static final class Broken {
        private static final List<String> ALL = new ArrayList<>();

        static {
            ALL.add("one");
            ALL.get(div(1, 0));
        }

        private Broken() {}

        static void touch() {
            ALL.clear();
        }
    }

    static class Base {
        Base(int size) {
            if (size < 0) {
                throw new IllegalArgumentException("in super");
            }
        }
    }

    static final class Built extends Base {
        Built(int size) {
            super(size);
            throw new IllegalStateException("after super " + size);
        }
    }
}
