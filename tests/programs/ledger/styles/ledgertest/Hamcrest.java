package ledgertest;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;

import java.util.List;
import ledger.Ledger;

/** Matchers of Hamcrest. */
public final class Hamcrest {
    private Hamcrest() {
    }

    public static void main(String[] args) {
        Ledger ledger = new Ledger(30);
        ledger.add("bob", 3, 1200);
        ledger.add("ann", 12, 50);
        ledger.add("cy", 30, 500);
        switch (args[0]) {
            case "number":
                assertThat(ledger.total(), is(equalTo(1750L)));
                break;
            case "list":
                assertThat(ledger.accounts(), contains("ann", "bob", "cy"));
                break;
            case "missing":
                assertThat("entries", ledger.atLeast(500), hasSize(2));
                break;
            default:
                assertThat(ledger.owed("dan"), is(0L));
        }
    }
}
