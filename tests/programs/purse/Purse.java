package purse;

/** Holds money, and forgets the one before last. */
public class Purse {
    private Money inside;

    /** Puts money in. */
    public void put(Money money) {
        inside = money;
    }

    /** All that is in it. */
    public Money total() {
        return inside;
    }
}
