package suite;

/** Tests for an engine that runs each on a thread of its own. */
public class RelayedTest {
    public void packsNothing() {
        new Stock(3).pack();
    }

    public void packsTooMuch() {
        Stock stock = new Stock(5);
        stock.order("Bob", 2);
        stock.pack();
        stock.order("Ann", 1);
        stock.order("Eve", 7);
        stock.pack();
    }
}
