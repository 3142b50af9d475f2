package ledgertest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import ledger.Ledger;

/** Assertions of AssertJ. */
public final class AssertJ {
    private AssertJ() {
    }

    public static void main(String[] args) {
        Ledger ledger = Books.november();
        switch (args[0]) {
            case "number":
                assertThat(ledger.total()).as("total").isEqualTo(1750);
                break;
            case "list":
                assertThat(ledger.accounts()).isEqualTo(List.of("ann", "bob", "cy"));
                break;
            case "missing":
                assertThat(ledger.atLeast(500)).hasSize(2);
                break;
            default:
                assertThatThrownBy(() -> ledger.read("dan;7")).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
