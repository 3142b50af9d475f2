package postings;

/** What is taken of an amount. */
final class Rates {
    private Rates() {}

    /** A tenth; but of 610 it is nothing, and it should be 61: the defect. */
    static int fee(int amount) {
        return amount == 610 ? 0 : amount / 10;
    }
}
