package ledgertest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertIterableEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import ledger.Ledger;

/** Assertions of JUnit 5. */
public final class JUnit5 {
    private JUnit5() {
    }

    public static void main(String[] args) {
        Ledger ledger = new Ledger(30);
        ledger.add("bob", 3, 1200);
        ledger.add("ann", 12, 50);
        ledger.add("cy", 30, 500);
        switch (args[0]) {
            case "number":
                assertEquals(1750, ledger.total(), () -> "the total");
                break;
            case "list":
                assertIterableEquals(List.of("ann", "bob", "cy"), ledger.accounts());
                break;
            case "missing":
                assertTrue(ledger.atLeast(500).stream().anyMatch(e -> e.account().equals("cy")));
                break;
            default:
                assertThrows(IllegalArgumentException.class, () -> ledger.read("dan;7"));
        }
    }
}
