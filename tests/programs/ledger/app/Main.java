package ledger.app;

import ledger.lib.AbstractLedger;
import ledger.lib.Auditor;

/**
 * Ends by an ArrayIndexOutOfBoundsException in AbstractLedger.post, on a CashLedger: the fourth account ever, although two are closed. Of the
 * eight interactions with it the construction and the posts to the four accounts are needed.
 */
class Main {
    public static void main(String[] args) {
        AbstractLedger ledger = new CashLedger(new Auditor());
        ledger.post("rent", 90_000);
        ledger.post("food", 4_200);
        ledger.close("rent");
        ledger.total();
        ledger.post("books", 1_500);
        ledger.close("food");
        ledger.post("travel", 12_000);
        System.out.println(ledger.total());
    }
}
