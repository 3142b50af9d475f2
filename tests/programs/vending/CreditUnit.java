package vending;

/** Keeps the money that the present customer has inserted, in cents. */
public class CreditUnit {
    private int cents;

    /** Makes an empty unit. */
    public CreditUnit() {
        cents = 0;
    }

    /** The present credit. */
    public int cents() {
        return cents;
    }

    /** Adds a coin. */
    public void add(int coin) {
        cents += coin;
    }

    /**
     * Takes the price of a product.
     *
     * @throws IllegalStateException if the credit is less than that
     */
    public void charge(int price) {
        if (price > cents) {
            throw new IllegalStateException("vending without credit: price " + price + ", credit " + cents);
        }
        cents -= price;
    }

    /** Gives all the money back; says how much it was. */
    public int refund() {
        int refunded = cents;
        cents = 0;
        return refunded;
    }
}
