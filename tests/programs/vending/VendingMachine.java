package vending;

/**
 * A vending machine of which every product has the same price. Switched on and filled by its operator, it takes coins, and is
 * <em>enabled</em> to vend as soon as they suffice for a product.
 *
 * <p>The defect is in {@link #cancel()}: the machine erroneously stays enabled when the coins are given back.
 */
public class VendingMachine {
    private final CreditUnit credit = new CreditUnit();
    private final Rack rack = new Rack();
    private final int price;
    private boolean on;
    private boolean enabled;
    private int sold;

    /** Makes a machine that is empty and switched off, and sets the price of its products in cents. */
    public VendingMachine(int price) {
        this.price = price;
    }

    /** Switches the machine on. */
    public void switchOn() {
        on = true;
    }

    /** Switches the machine off; it keeps its products and what the customer has inserted. */
    public void switchOff() {
        on = false;
        disable();
    }

    /** Puts a number of products into a slot. */
    public void fill(String slot, int number) {
        rack.fill(slot, number);
    }

    /** Takes a coin; a machine that is off, and any machine offered an unknown coin, lets it fall through. Says whether it was kept. */
    public boolean insert(int coin) {
        if (!on || !isCoin(coin)) {
            return false;
        }
        credit.add(coin);
        if (credit.cents() >= price) {
            enable();
        }
        return true;
    }

    /** Gives the coins back; says how much it was, in cents. */
    public int cancel() {
        int refunded = credit.refund();
        if (refunded < price) {
            disable();
        }
        return refunded;
    }

    /** Vends the product in a slot; refuses, and answers {@code false}, if the machine is not enabled or the slot is empty. */
    public boolean vend(String slot) {
        if (!enabled || !rack.holds(slot)) {
            return false;
        }
        credit.charge(price);
        rack.drop(slot);
        sold++;
        if (credit.cents() < price) {
            disable();
        }
        return true;
    }

    /** The number of products vended so far. */
    public int sold() {
        return sold;
    }

    private void enable() {
        enabled = true;
    }

    private void disable() {
        enabled = false;
    }

    private static boolean isCoin(int cents) {
        return cents == 50 || cents == 100;
    }
}
