package ledger.app;

import ledger.lib.AbstractLedger;
import ledger.lib.Auditor;

/** The application's class, which is observed. */
class CashLedger extends AbstractLedger {
    CashLedger(Auditor auditor) {
        super(auditor);
    }

    @Override
    protected long fee(long amount) {
        return amount / 100;
    }

    @Override
    public String name() {
        return "cash";
    }
}
