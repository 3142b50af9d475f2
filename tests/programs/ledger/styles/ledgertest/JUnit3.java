package ledgertest;

import static junit.framework.Assert.assertEquals;
import static junit.framework.Assert.assertTrue;

import java.util.List;
import ledger.Ledger;

/** Assertions of JUnit 3. */
public final class JUnit3 {
    private JUnit3() {
    }

    public static void main(String[] args) {
        Ledger ledger = new Ledger(30);
        ledger.add("bob", 3, 1200);
        ledger.add("ann", 12, 50);
        ledger.add("cy", 30, 500);
        switch (args[0]) {
            case "number":
                assertEquals(1750, ledger.total());
                break;
            case "list":
                assertEquals(List.of("ann", "bob", "cy"), ledger.accounts());
                break;
            case "missing":
                assertTrue("cy has 500", ledger.atLeast(500).toString().contains("cy 500"));
                break;
            default:
                assertEquals(0, ledger.owed("dan"));
        }
    }
}
