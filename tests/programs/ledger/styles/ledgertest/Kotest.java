package ledgertest;

import static io.kotest.matchers.ShouldKt.shouldBe;
import static io.kotest.matchers.collections.SizeKt.shouldHaveSize;

import java.util.List;
import ledger.Ledger;

/** Matchers of Kotest, as the compiler calls them. */
public final class Kotest {
    private Kotest() {
    }

    public static void main(String[] args) {
        Ledger ledger = Books.november();
        switch (args[0]) {
            case "number":
                shouldBe(ledger.total(), 1750L);
                break;
            case "list":
                shouldBe(ledger.accounts(), List.of("ann", "bob", "cy"));
                break;
            case "missing":
                shouldHaveSize(ledger.atLeast(500), 2);
                break;
            default:
                shouldBe(ledger.owed("dan"), 0L);
        }
    }
}
