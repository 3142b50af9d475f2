package ledgertest;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertLinesMatch;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import java.time.Duration;

import java.util.List;
import ledger.Ledger;

/** Assertions of JUnit 5 that call others. */
public final class JUnit5Groups {
    private JUnit5Groups() {
    }

    public static void main(String[] args) {
        Ledger ledger = new Ledger(30);
        ledger.add("bob", 3, 1200);
        ledger.add("ann", 12, 50);
        ledger.add("cy", 30, 500);
        switch (args[0]) {
            case "number":
                assertAll(() -> assertEquals(3, ledger.size()), () -> assertEquals(1750, ledger.total()));
                break;
            case "list":
                assertLinesMatch(List.of("ann", "bob", "cy"), ledger.accounts());
                break;
            case "missing":
                assertTimeout(Duration.ofSeconds(9), () -> assertFalse(ledger.atLeast(1200).isEmpty()));
                break;
            default:
                assertDoesNotThrow(() -> ledger.owed("dan"));
        }
    }
}
