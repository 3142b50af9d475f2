package postings;

/** Posts ninety amounts one after the other, and finds that the fees are wrong. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        Ledger ledger = new Ledger();
        assert ledger.isEmpty();
        for (int no = 1; no <= 90; no++) {
            int fee = Rates.fee(no * 10);
            ledger.post(no * 10 - fee);
            ledger.count(fee);
        }
        if (ledger.size() != 90) {
            throw new AssertionError("some are missing");
        }
        System.out.println(ledger.fees());
        if (ledger.fees() != 4_095) {
            throw new IllegalStateException("the fees are wrong");
        }
    }
}
