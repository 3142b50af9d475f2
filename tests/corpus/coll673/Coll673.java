package coll673;

import static org.junit.Assert.assertEquals;

import java.util.Arrays;
import java.util.List;
import org.apache.commons.collections4.ListUtils;

/** Cuts a list into pieces. */
public class Coll673 {
    private Coll673() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        List<Integer> numbers = Arrays.asList(1, 2, 3, 4, 5);
        for (int size = 1; size < 6; size++) {
            assertEquals((5 + size - 1) / size, ListUtils.partition(numbers, size).size());
        }
        List<List<Integer>> whole = ListUtils.partition(numbers, Integer.MAX_VALUE);
        assertEquals(1, whole.size());
    }
}
