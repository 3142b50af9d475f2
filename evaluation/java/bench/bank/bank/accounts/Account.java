package bank.accounts;

/** An account, which cannot be overdrawn. */
public final class Account {
    private final int id;
    private long balance;
    /** Number of the last transfer from or to it; 0 before the first. */
    public long lastTransfer;

    /** An account with money in it. */
    public Account(int id, long balance) {
        this.id = id;
        this.balance = balance;
    }

    /** Takes the amount out; false, and nothing else, if there is not as much. */
    public boolean withdraw(long amount) {
        if (amount > balance) {
            return false;
        }
        balance -= amount;
        return true;
    }

    /** Pays the amount in. */
    public void deposit(long amount) {
        balance += amount;
    }

    /** The account's number. */
    public int id() {
        return id;
    }

    /** What it holds. */
    public long balance() {
        return balance;
    }
}
