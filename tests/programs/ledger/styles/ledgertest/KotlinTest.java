package ledgertest;

import static kotlin.test.AssertionsKt.assertEquals;
import static kotlin.test.AssertionsKt.assertTrue;

import java.util.List;
import ledger.Ledger;

/** Assertions of kotlin.test, as the compiler calls them. */
public final class KotlinTest {
    private KotlinTest() {
    }

    public static void main(String[] args) {
        Ledger ledger = new Ledger(30);
        ledger.add("bob", 3, 1200);
        ledger.add("ann", 12, 50);
        ledger.add("cy", 30, 500);
        switch (args[0]) {
            case "number":
                assertEquals(1750L, ledger.total(), null);
                break;
            case "list":
                assertEquals(List.of("ann", "bob", "cy"), ledger.accounts(), "accounts");
                break;
            case "missing":
                assertTrue(ledger.atLeast(500).size() == 2, null);
                break;
            default:
                assertEquals(0L, ledger.owed("dan"), null);
        }
    }
}
