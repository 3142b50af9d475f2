package stock;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

/** One of these tests fails, by a defect of the project's own. */
public class StockTest {
    @Test
    public void packsNothing() {
        assertEquals(0, new Stock(3).pack());
    }

    @Test
    public void packsWhatWasOrdered() {
        Stock stock = new Stock(1);
        stock.order("Ann", 1);
        stock.order("Eve", 1);
        assertEquals(2, stock.pack());
    }
}
