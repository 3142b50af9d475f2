package ledgertest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.List;
import ledger.Ledger;

/** Chains of assertions of AssertJ. */
public final class AssertJChains {
    private AssertJChains() {
    }

    public static void main(String[] args) {
        Ledger ledger = Books.november();
        switch (args[0]) {
            case "number":
                assertThat(ledger.total()).isPositive().isGreaterThan(1000).isGreaterThan(1500);
                break;
            case "list":
                assertThat(ledger.accounts()).isNotEmpty().containsExactly("ann", "bob", "cy");
                break;
            case "missing":
                assertThat(ledger.atLeast(500)).extracting("account").contains("cy");
                break;
            default:
                assertThatCode(() -> ledger.owed("dan")).doesNotThrowAnyException();
        }
    }
}
