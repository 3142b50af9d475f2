package kernels;

import java.util.Random;

/** Heap sort of integers in an array that is a field. */
final class HeapSort {

    private final int[] array;

    private HeapSort(int[] array) {
        this.array = array;
    }

    /** {@code size}: how many integers. */
    static void run(int size) {
        Random random = new Random(1966L);
        int[] array = new int[size];
        for (int i = 0; i < size; i++) {
            array[i] = random.nextInt();
        }
        new HeapSort(array).sort();
        for (int i = 1; i < size; i++) {
            Main.check(array[i - 1] <= array[i], "not sorted at " + i);
        }
    }

    private void sort() {
        int last = array.length - 1;
        for (int root = last / 2; root > 0; root--) {
            sift(root, last);
        }
        for (int end = last; end > 0; end--) {
            sift(0, end);
            int greatest = array[0];
            array[0] = array[end];
            array[end] = greatest;
        }
    }

    /** Lets the element at {@code root} sink to its place among those up to {@code end}. */
    private void sift(int root, int end) {
        while (2 * root <= end) {
            int child = 2 * root;
            if (child < end && array[child] < array[child + 1]) {
                child++;
            }
            if (array[root] >= array[child]) {
                return;
            }
            int sinking = array[root];
            array[root] = array[child];
            array[child] = sinking;
            root = child;
        }
    }
}
