package tellers.accounts;

/** An account; what all accounts hold together is known, too. */
public final class Account {
    private static long total;

    private final int id;
    private long balance;

    public Account(int id) {
        this.id = id;
    }

    public void deposit(long amount) {
        balance += amount;
        total += amount;
    }

    /** Ends the account, which must be empty. */
    public void close() {
        if (balance != 0) {
            throw new IllegalStateException("account " + id + " is not empty");
        }
    }

    /** The same if all must be empty. */
    public void closeLast() {
        if (total > balance) {
            throw new IllegalStateException("account " + id + " is not the last");
        }
    }

    /** Ends the account, and all others with it. */
    public void closeAll() {
        throw new IllegalStateException("there is " + total + " left");
    }
}
