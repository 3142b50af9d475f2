package suite;

import org.junit.jupiter.api.Test;

/** Tests that fail by one and the same exception. */
class RefusedTest {
    private static final IllegalStateException REFUSED = new IllegalStateException("refused");

    @Test
    void refusesOrders() {
        new Stock(1).order("Ann", 1);
        throw REFUSED;
    }

    @Test
    void refusesPacking() {
        new Stock(1).pack();
        throw REFUSED;
    }
}
