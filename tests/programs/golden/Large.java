package golden;

import java.util.ArrayList;
import java.util.List;

/** Gets an array and a list that are too large to be recorded, and reads some of what they hold. */
public final class Large {
    private Large() {
    }

    /** Not observed. */
    static final class Source {
        private final long[] array = new long[70_000];
        private final List<String> list = new ArrayList<>();

        Source() {
            for (int i = 0; i < array.length; i++) {
                array[i] = 3L * i;
                list.add("entry " + i);
            }
        }

        long[] array() {
            return array;
        }

        List<String> list() {
            return list;
        }

        void change() {
            array[5_000]++;
            list.set(5_000, "changed");
        }
    }

    public static void main(String[] args) {
        Source source = new Source();
        String before = sum(source.array()) + texts(source.list());
        source.array()[10_000] = 1;
        source.change();
        throw new IllegalStateException(before + " " + sum(source.array()) + texts(source.list()));
    }

    private static long sum(long[] array) {
        long sum = array.length;
        for (int i = 0; i < array.length; i += 5_000) {
            sum += array[i];
        }
        return sum;
    }

    private static String texts(List<String> list) {
        StringBuilder texts = new StringBuilder().append(' ').append(list.size());
        for (int i = 0; i < list.size(); i += 5_000) {
            texts.append(' ').append(list.get(i));
        }
        return texts.toString();
    }
}
