package p;

import java.util.Arrays;

/** Shows values with the static types that the compiler sees. */
public class Base {

    static final StringBuilder OUT = new StringBuilder();

    static void out(int n, boolean x) {
        show(n, "boolean", x);
    }

    static void out(int n, byte x) {
        show(n, "byte", x);
    }

    static void out(int n, short x) {
        show(n, "short", x);
    }

    static void out(int n, char x) {
        show(n, "char", x);
    }

    static void out(int n, int x) {
        show(n, "int", x);
    }

    static void out(int n, long x) {
        show(n, "long", x);
    }

    static void out(int n, float x) {
        show(n, "float", x);
    }

    static void out(int n, double x) {
        show(n, "double", x);
    }

    static void out(int n, String x) {
        show(n, "String", x);
    }

    static void out(int n, Integer x) {
        show(n, "Integer", x);
    }

    static void out(int n, Class<?> x) {
        show(n, "Class", x);
    }

    static void out(int n, int[] x) {
        show(n, "int[]", x);
    }

    static void out(int n, Object x) {
        show(n, "Object", x);
    }

    private static void show(int n, String type, Object value) {
        OUT.append(n).append(' ').append(type).append(' ').append(shown(value)).append('\n');
    }

    private static Object shown(Object value) {
        if (value instanceof Character) {
            return (int) (char) value;
        } else if (value instanceof Float) {
            return Float.isNaN((float) value) ? value : Float.floatToIntBits((float) value);
        } else if (value instanceof Double) {
            return Double.isNaN((double) value) ? value : Double.doubleToLongBits((double) value);
        } else if (value instanceof String) {
            return Arrays.toString(((String) value).chars().toArray());
        } else if (value instanceof int[]) {
            return Arrays.toString((int[]) value);
        } else if (value instanceof Class) {
            return ((Class<?>) value).getName();
        }
        return value;
    }
}
