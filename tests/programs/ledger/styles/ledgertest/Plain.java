package ledgertest;

import java.util.NoSuchElementException;

import java.util.List;
import ledger.Ledger;

/** The words of the language. */
public final class Plain {
    private Plain() {
    }

    public static void main(String[] args) {
        Ledger ledger = new Ledger(30);
        ledger.add("bob", 3, 1200);
        ledger.add("ann", 12, 50);
        ledger.add("cy", 30, 500);
        switch (args[0]) {
            case "number":
                assert ledger.total() == 1750 : "total " + ledger.total();
                break;
            case "list":
                if (!ledger.accounts().equals(List.of("ann", "bob", "cy"))) {
                    throw new AssertionError("accounts: " + ledger.accounts());
                }
                break;
            case "missing":
                if (ledger.atLeast(500).size() != 2) {
                    throw new NoSuchElementException("cy");
                }
                break;
            default:
                assert ledger.owed("dan") == 0;
        }
    }
}
