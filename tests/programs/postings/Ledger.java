package postings;

/** Amounts that were posted, and fees that were taken. */
final class Ledger {
    private int[] amounts = new int[4];
    private int size;
    private int fees;

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    void post(int amount) {
        if (size == amounts.length) {
            amounts = java.util.Arrays.copyOf(amounts, 2 * size);
        }
        amounts[size++] = amount;
    }

    /** Counts a fee. */
    void count(int fee) {
        fees += fee;
    }

    int fees() {
        return fees;
    }
}
