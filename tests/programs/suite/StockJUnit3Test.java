package suite;

import junit.framework.TestCase;

/** The same with JUnit 3. */
public class StockJUnit3Test extends TestCase {
    public void testPacksNothing() {
        assertEquals(0, new Stock(3).pack());
    }

    public void testCountsCustomers() {
        Stock stock = new Stock(5);
        stock.order("Bob", 2);
        stock.order("Bob", 2);
        assertEquals(1, stock.pack());
    }

    public void testPacksWhatWasOrdered() {
        Stock stock = new Stock(1);
        stock.order("Ann", 1);
        stock.order("Eve", 1);
        stock.pack();
    }
}
