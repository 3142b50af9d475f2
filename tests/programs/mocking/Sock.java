package mocking;

import java.io.Serializable;

/** A drawer in all but the interface. */
final class Sock implements Serializable {
    private final int coins;

    Sock(int coins) {
        this.coins = coins;
    }

    int coins() {
        return coins;
    }
}
