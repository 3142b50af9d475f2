package heapsort;

/** A heap in an array, the greatest on top (Williams). */
final class Heap {
    private final int[] items;
    private int size;

    Heap(int[] items) {
        this.items = items;
        this.size = items.length;
        build();
    }

    private void build() {
        for (int at = size / 2 - 1; at >= 0; at--) {
            sink(at);
        }
    }

    private static int left(int at) {
        return 2 * at + 1;
    }

    private static int right(int at) {
        return 2 * at + 2;
    }

    private void swap(int a, int b) {
        int kept = items[a];
        items[a] = items[b];
        items[b] = kept;
    }

    private int greatest(int at) {
        int greatest = at;
        int left = left(at);
        if (left < size && items[left] > items[greatest]) {
            greatest = left;
        }
        int right = right(at);
        if (right < size && items[right] > items[greatest]) {
            greatest = right;
        }
        return greatest;
    }

    private void sink(int at) {
        int next = greatest(at);
        if (next != at) {
            swap(at, next);
            sink(next);
        }
    }

    void sort() {
        while (size > 1) {
            removeGreatest();
        }
    }

    private void removeGreatest() {
        size = size - 1;
        swap(0, size);
        sink(0);
    }
}
