package ledgertest;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.api.SoftAssertions;

import java.util.List;
import ledger.Ledger;

/** Further ways to assert with AssertJ. */
public final class AssertJOther {
    private AssertJOther() {
    }

    public static void main(String[] args) {
        Ledger ledger = Books.november();
        switch (args[0]) {
            case "number":
                SoftAssertions softly = new SoftAssertions();
                softly.assertThat(ledger.size()).isEqualTo(3);
                softly.assertThat(ledger.total()).isEqualTo(1750);
                softly.assertAll();
                break;
            case "list":
                assertThat(ledger.accounts()).hasToString("[ann, bob, cy]");
                break;
            case "missing":
                assertThat(ledger.atLeast(500).size() == 2).isTrue();
                break;
            default:
                assertThat(ledger.accounts()).usingRecursiveComparison().isEqualTo(List.of("ann", "bob", "cy"));
        }
    }
}
