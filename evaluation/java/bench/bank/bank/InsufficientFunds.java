package bank;

/** An account does not hold what is to be withdrawn. */
final class InsufficientFunds extends Exception {
    private static final long serialVersionUID = 1;
    private final long missing;

    InsufficientFunds(long missing) {
        super("insufficient funds");
        this.missing = missing;
    }

    long missing() {
        return missing;
    }
}
