package suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that pass and tests that fail: by an exception of the stock's, by a wrapped one, by an assertion, and for some values only. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
public class StockTest {
    @Test
    @Order(1)
    void packsNothing() {
        assertEquals(0, new Stock(3).pack());
    }

    @Test
    @Order(2)
    void knowsThatNothingIsLeft() {
        Stock stock = new Stock(0);
        stock.order("Ann", 1);
        assertThrows(IllegalStateException.class, stock::pack);
    }

    @Test
    @Order(3)
    void packsWhatWasOrdered() {
        Stock stock = new Stock(5);
        stock.order("Bob", 2);
        stock.pack();
        stock.order("Eve", 2);
        stock.order("Ann", 2);
        stock.pack();
    }

    @Test
    @Order(4)
    void refusesNobody() {
        Stock stock = new Stock(5);
        stock.order("Bob", 2);
        assertThrows(NullPointerException.class, () -> stock.order("", 2));
    }

    @Test
    @Order(5)
    void countsCustomers() {
        Stock stock = new Stock(5);
        stock.order("Bob", 2);
        stock.order("Bob", 2);
        assertEquals(1, stock.pack());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8, 9})
    @Order(6)
    void packs(int count) {
        Stock stock = new Stock(6);
        stock.order("Joe", count);
        stock.pack();
    }
}
