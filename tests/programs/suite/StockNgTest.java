package suite;

import static org.testng.Assert.assertEquals;

import org.testng.annotations.Test;

/** The same with TestNG. */
public class StockNgTest {
    @Test
    public void packsNothing() {
        assertEquals(new Stock(3).pack(), 0);
    }

    @Test
    public void countsCustomers() {
        Stock stock = new Stock(5);
        stock.order("Bob", 2);
        stock.order("Bob", 2);
        assertEquals(stock.pack(), 1);
    }

    @Test
    public void packsWhatWasOrdered() {
        Stock stock = new Stock(1);
        stock.order("Ann", 1);
        stock.order("Eve", 1);
        stock.pack();
    }
}
