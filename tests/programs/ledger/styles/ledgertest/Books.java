package ledgertest;

import ledger.Ledger;

/** The ledger that all tests look at. */
final class Books {
    private Books() {
    }

    static Ledger november() {
        Ledger ledger = new Ledger(30);
        ledger.add("bob", 3, 1200);
        ledger.add("ann", 12, 50);
        ledger.add("cy", 30, 500);
        return ledger;
    }
}
