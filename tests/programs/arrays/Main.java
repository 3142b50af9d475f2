package arrays;

import java.io.ByteArrayInputStream;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * Changes arrays in every way there is. {@code Main.show} prints what an array holds; whoever reads the recording compares that with
 * what the recording says the array held when {@code show} was called.
 */
public final class Main {
    int[] field = {1, 2, 3};
    static final long[] STATIC = {4, 5};

    private Main() {
    }

    static void show(Object array) {
        Object[] box = {array};
        String text = Arrays.deepToString(box);
        System.out.println(text.substring(1, text.length() - 1));
    }

    /** Implemented by a class that is not recorded, and by one that is. */
    interface Filler {
        void fill(int[] array);
    }

    static final class Own implements Filler {
        @Override
        public void fill(int[] array) {
            array[0] = 21;
            Natives.fill(array, 22);
        }
    }

    static int[] given(int[] array) {
        array[1] = 55;
        return array;
    }

    static {
        System.load(System.getProperty("arrays.library"));
    }

    public static void main(String[] args) throws Exception {
        int[] ints = new int[5];
        show(ints);
        ints[1] = 4;
        System.arraycopy(ints, 0, ints, 1, 4);
        show(ints);
        Arrays.fill(ints, 2, 4, 9);
        show(ints);
        Arrays.sort(ints);
        show(ints);
        Array.set(ints, 0, 6);
        Array.setInt(ints, 1, 7);
        show(ints);
        int[] copy = ints.clone();
        copy[0]++;
        show(copy);
        show(ints);
        byte[] bytes = new byte[4];
        new ByteArrayInputStream(new byte[] {1, 2, 3}).read(bytes);
        show(bytes);
        ByteBuffer.wrap(new byte[] {9, 8, 7, 6}).get(bytes);
        show(bytes);
        show("abc\u00e4".getBytes("UTF-8"));
        char[] chars = new char[4];
        "word".getChars(1, 4, chars, 0);
        show(chars);
        byte[] hash = new byte[20];
        MessageDigest sha = MessageDigest.getInstance("SHA-1");
        sha.update(bytes);
        sha.digest(hash, 0, 20);
        show(hash);
        double[] doubles = {1.5, -0.0};
        Arrays.setAll(doubles, i -> i + 0.5);
        show(doubles);
        boolean[] flags = new boolean[2];
        flags[1] = true;
        show(flags);
        int[][] nested = {{1}, {2, 3}};
        System.arraycopy(new int[][] {{7, 7}}, 0, nested, 1, 1);
        show(nested[1]);
        Arrays.fill(nested[0], 3);
        show(nested[0]);
        Object[] objects = {"a", 1, null};
        Arrays.asList(objects).set(2, "c");
        Arrays.fill(objects, 0, 1, "z");
        show(objects);
        Main main = new Main();
        Arrays.fill(main.field, 8);
        main.field[1] = 5;
        show(main.field);
        System.arraycopy(STATIC, 0, STATIC, 1, 1);
        show(STATIC);
        // Native methods: of this class, of another recorded one, the first call of which initializes it.
        fill(ints, 11);
        show(ints);
        Natives.fill(ints, 12);
        show(ints);
        Natives.fill(ints, 13);
        show(ints);
        show(Natives.made(3));
        // Implemented by a class that is not recorded, or by one that is.
        Filler outside = (Filler) Class.forName("arrays.Outside").getDeclaredConstructor().newInstance();
        outside.fill(ints);
        show(ints);
        new Own().fill(ints);
        show(ints);
        Filler lambda = a -> a[2] = 77;
        lambda.fill(ints);
        show(ints);
        show(given(ints));
        // Called from unrecorded code, with an array of its own.
        Outside.back(array -> {
            show(array);
            array[0] = 1;
            show(array);
        });
        // Kept by unrecorded code, and changed later: seen when it comes in the next time.
        Outside.keep(ints);
        Outside.change(31);
        Outside.keep(ints);
        show(ints);
    }

    private static native void fill(int[] array, int value);
}
