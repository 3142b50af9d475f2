package arrays;

import java.util.Arrays;

/** Not recorded. */
public final class Outside implements Main.Filler {
    private static int[] kept;

    @Override
    public void fill(int[] array) {
        Arrays.fill(array, 20);
    }

    static void back(Main.Filler filler) {
        int[] array = {40, 41};
        filler.fill(array);
    }

    static void keep(int[] array) {
        kept = array;
    }

    static void change(int value) {
        kept[1] = value;
    }
}
