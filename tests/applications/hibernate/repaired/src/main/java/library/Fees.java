package library;

/** What loans cost that last too long. */
public class Fees {
    private final int days;

    public Fees(int days) {
        this.days = days;
    }

    /** Cents that a member owes on a day. */
    public int owed(Member member, int today) {
        int cents = 0;
        for (Loan loan : member.getLoans()) {
            int end = loan.getReturnedOn() == null ? today : loan.getReturnedOn();
            int late = end - loan.getLentOn() - days;
            cents += Math.max(0, late) * 10;
        }
        return cents;
    }
}
