package mocking;

import java.io.Serializable;

/** A purse of which nothing is recorded; loaded after the till. The computed {@code serialVersionUID} counts fields, too. */
final class Drawer implements Purse, Serializable {
    private final int coins;

    Drawer(int coins) {
        this.coins = coins;
    }

    @Override
    public int coins() {
        return coins;
    }
}
