package ledgertest;

import static com.google.common.truth.Truth.assertThat;

import java.util.List;
import ledger.Ledger;

/** Assertions of Truth. */
public final class Truth {
    private Truth() {
    }

    public static void main(String[] args) {
        Ledger ledger = Books.november();
        switch (args[0]) {
            case "number":
                assertThat(ledger.total()).isEqualTo(1750);
                break;
            case "list":
                assertThat(ledger.accounts()).containsExactly("ann", "bob", "cy").inOrder();
                break;
            case "missing":
                assertThat(ledger.atLeast(500)).hasSize(2);
                break;
            default:
                assertThat(ledger.owed("dan")).isEqualTo(0);
        }
    }
}
