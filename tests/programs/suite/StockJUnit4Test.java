package suite;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

/** The same with JUnit 4. */
public class StockJUnit4Test {
    @Test
    public void packsNothing() {
        assertEquals(0, new Stock(3).pack());
    }

    @Test
    public void countsCustomers() {
        Stock stock = new Stock(5);
        stock.order("Bob", 2);
        stock.order("Bob", 2);
        assertEquals(1, stock.pack());
    }

    @Test
    public void packsWhatWasOrdered() {
        Stock stock = new Stock(1);
        stock.order("Ann", 1);
        stock.order("Eve", 1);
        stock.pack();
    }
}
