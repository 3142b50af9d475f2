package mocking;

/** A class that only Mockito's inline mock maker can mock: it is final. Mocking it has it retransformed. */
final class Till {
    private int cents;

    /** Adds a coin; the new sum. */
    int add(int coin) {
        cents += coin;
        return cents;
    }

    /** Adds what is in a purse; the new sum. */
    int addAll(Purse purse) {
        return add(purse.coins());
    }

    /** A rate; static. */
    static int percent(int of) {
        return of / 5;
    }
}
