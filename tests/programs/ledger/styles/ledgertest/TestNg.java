package ledgertest;

import static org.testng.Assert.assertEquals;
import static org.testng.Assert.assertThrows;
import static org.testng.Assert.assertTrue;

import java.util.List;
import ledger.Ledger;

/** Assertions of TestNG. */
public final class TestNg {
    private TestNg() {
    }

    public static void main(String[] args) {
        Ledger ledger = new Ledger(30);
        ledger.add("bob", 3, 1200);
        ledger.add("ann", 12, 50);
        ledger.add("cy", 30, 500);
        switch (args[0]) {
            case "number":
                assertEquals(ledger.total(), 1750);
                break;
            case "list":
                assertEquals(ledger.accounts(), List.of("ann", "bob", "cy"));
                break;
            case "missing":
                assertTrue(ledger.atLeast(500).size() > 1, "two of them");
                break;
            default:
                assertThrows(IllegalArgumentException.class, () -> ledger.read("dan;7"));
        }
    }
}
