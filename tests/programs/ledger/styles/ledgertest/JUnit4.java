package ledgertest;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.util.List;
import ledger.Ledger;

/** Assertions of JUnit 4. */
public final class JUnit4 {
    private JUnit4() {
    }

    public static void main(String[] args) {
        Ledger ledger = new Ledger(30);
        ledger.add("bob", 3, 1200);
        ledger.add("ann", 12, 50);
        ledger.add("cy", 30, 500);
        switch (args[0]) {
            case "number":
                assertEquals("total", 1750L, ledger.total());
                break;
            case "list":
                assertArrayEquals(new Object[] {"ann", "bob", "cy"}, ledger.accounts().toArray());
                break;
            case "missing":
                assertEquals(2, ledger.atLeast(500).size());
                break;
            default:
                assertThrows(IllegalArgumentException.class, () -> ledger.read("dan;7"));
        }
    }
}
