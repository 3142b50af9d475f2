package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class StockTest {
    private final Stock stock = new Stock();

    @Test
    void counts() {
        for (int i = 1; i <= 100; i++) {
            stock.add("screw " + i % 10, i);
        }
        assertEquals(460, stock.of("screw 1"));
        stock.take("screw 1", 60);
        assertEquals(400, stock.of("screw 1"));
    }

    @Test
    void refusesWhatIsNotThere() {
        stock.add("nut", 2);
        assertThrows(IllegalStateException.class, () -> stock.take("nut", 3));
        assertEquals(2, stock.of("nut"));
    }
}
