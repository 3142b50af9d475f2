package purse;

/** An amount of a currency. */
public final class Money {
    private final int amount;
    private final String currency;

    /** Makes an amount. */
    public Money(int amount, String currency) {
        this.amount = amount;
        this.currency = currency;
    }

    /** Both together. */
    public Money plus(Money other) {
        return new Money(amount + other.amount, currency);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Money && ((Money) other).toString().equals(toString());
    }

    @Override
    public int hashCode() {
        return amount;
    }

    @Override
    public String toString() {
        return amount + " " + currency;
    }
}
