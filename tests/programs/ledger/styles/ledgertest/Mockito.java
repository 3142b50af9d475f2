package ledgertest;

import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

import ledger.Journal;
import ledger.Ledger;

/** Calls that Mockito misses. */
public final class Mockito {
    private Mockito() {
    }

    public static void main(String[] args) {
        Ledger ledger = Books.november();
        Journal journal = mock(Journal.class);
        ledger.write(journal);
        switch (args[0]) {
            case "number":
                verify(journal, times(3)).line(anyString());
                break;
            default:
                verify(journal).line("bob 1200");
        }
    }
}
