package ledger;

/** An amount on an account. */
public final class Entry {
    private final String account;
    private final int day;
    private final long cents;

    public Entry(String account, int day, long cents) {
        this.account = account;
        this.day = day;
        this.cents = cents;
    }

    public String account() {
        return account;
    }

    public int day() {
        return day;
    }

    public long cents() {
        return cents;
    }

    @Override
    public String toString() {
        return account + " " + cents;
    }
}
