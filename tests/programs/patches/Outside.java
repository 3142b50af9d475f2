package patches;

import java.lang.reflect.Array;
import java.util.Arrays;

/** Is not recorded: what it does to arrays is known only by what they hold when they come back. */
final class Outside {
    private Outside() {
    }

    /** An array of {@code length} elements of this type, all different as far as they can be. */
    static Object make(Class<?> type, int length) {
        Object array = Array.newInstance(type, length);
        fill(array, 0, length, 1);
        return array;
    }

    /** Gives {@code count} elements from {@code from} on other values. */
    static void fill(Object array, int from, int count, int seed) {
        for (int at = from; at < from + count; at++) {
            int value = at * 7 + seed;
            if (array instanceof boolean[]) {
                ((boolean[]) array)[at] = value % 2 == 0;
            } else if (array instanceof char[]) {
                ((char[]) array)[at] = (char) ('a' + value % 26);
            } else if (array instanceof byte[]) {
                ((byte[]) array)[at] = (byte) value;
            } else if (array instanceof short[]) {
                ((short[]) array)[at] = (short) value;
            } else if (array instanceof float[]) {
                ((float[]) array)[at] = value + 0.5f;
            } else if (array instanceof double[]) {
                ((double[]) array)[at] = value + 0.5;
            } else if (array instanceof long[]) {
                ((long[]) array)[at] = value * 1_000_000_007L;
            } else {
                ((int[]) array)[at] = value;
            }
        }
    }

    static void print(Object array) {
        String text = Arrays.deepToString(new Object[] {array});
        System.out.println(text.substring(1, text.length() - 1));
    }
}
