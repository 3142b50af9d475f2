package heirs.app;

import heirs.lib.Others;

/** Pages that are written on the desks of others are our pages. */
public final class Main {
    private Main() {
    }

    /** The program. */
    public static void main(String[] args) {
        Desk own = new OwnDesk();
        int sum = own.written().worth() + own.refused("none").worth();
        for (Page page : Others.pages()) {
            sum += page.worth();
        }
        Desk foreign = Others.desk();
        sum += foreign.written().worth() + foreign.refused("nothing").worth() + foreign.cover().worth();
        try {
            foreign.check(1);
        } catch (IllegalStateException e) {
            sum += e.getMessage().length();
        }
        sum += Others.between(own);
        System.out.println(sum);
        throw new IllegalStateException(sum + " of " + Ledger.worth());
    }
}
