package heapsort;

/** Sorts some numbers. */
public final class Main {
    private Main() {
    }

    public static void main(String[] args) {
        int[] items = {3, 7, 1, 6, 4};
        new Heap(items).sort();
        for (int item : items) {
            System.out.print(item);
            System.out.print(' ');
        }
        System.out.println();
    }
}
