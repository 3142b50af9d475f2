package patches;

import java.io.IOException;
import java.io.StringReader;
import java.util.Arrays;

/**
 * Has the environment change arrays, mostly a little. Whoever reads the recording compares what {@code show} was given, as {@code Outside}
 * printed it, with what the recording says.
 */
public final class Main {
    private static final Class<?>[] TYPES = {boolean.class, byte.class, char.class, short.class, int.class, long.class,
        float.class, double.class};
    private static final int[] LENGTHS = {0, 1, 7, 8, 63, 64, 65, 4000};

    private Main() {
    }

    static void show(Object array) {
        Outside.print(array);
    }

    private static void change(Object array, int from, int count, int seed) {
        Outside.fill(array, from, count, seed);
        show(array);
    }

    private static void all(Class<?> type, int length) {
        Object array = Outside.make(type, length);
        show(array);
        show(array);
        if (length == 0) {
            return;
        }
        change(array, 0, 1, 2);
        change(array, length - 1, 1, 2);
        change(array, length / 2, 1, 4);
        change(array, length / 2, (length + 15) / 16, 5);
        change(array, 0, length, 3);
        change(array, length - 1, 1, 5);
    }

    /** More than have a place each. */
    private static void many() {
        Object[] arrays = new Object[100];
        for (int i = 0; i < arrays.length; i++) {
            arrays[i] = Outside.make(int.class, 40);
        }
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < arrays.length; i++) {
                change(arrays[i], (i + round) % 40, 1, round + 2);
                change(arrays[i / 2], round, 1, i);
            }
        }
    }

    /** As a parser does, and more of it than fits into a buffer. */
    private static void read() throws IOException {
        char[] chars = new char[4000];
        try (StringReader reader = new StringReader("abcdefghijklmnopqrstuvwxyz".repeat(150))) {
            Arrays.fill(chars, ' ');
            for (int at = 0; at < 3900; at += reader.read(chars, at, 13)) {
                if (at % 130 == 0) {
                    show(chars);
                }
            }
        }
        "getChars".getChars(0, 8, chars, 1000);
        show(chars);
        System.arraycopy(chars, 0, chars, 2000, 100);
        show(chars);
        Arrays.sort(chars);
        show(chars);
    }

    public static void main(String[] args) throws IOException {
        for (Class<?> type : TYPES) {
            for (int length : LENGTHS) {
                all(type, length);
            }
        }
        many();
        read();
        Object long65536 = Outside.make(long.class, 1 << 16);
        Outside.fill(long65536, 5, 1, 9);
        Object tooLarge = Outside.make(byte.class, (1 << 16) + 1);
        Outside.fill(tooLarge, 5, 1, 9);
        change(long65536, 5, 1, 2);
        Object last = Outside.make(byte.class, 1 << 16);
        for (int seed = 2; seed < 40; seed++) {
            change(last, seed * 11, 17, seed);
        }
    }
}
