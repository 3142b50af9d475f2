package suite;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Tests of which the first passes, and cannot be computed again; the others are called back by the JDK and by JUnit. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RackTest {
    /** At the boundary nothing says which of the stocks the keeper has. */
    @Test
    @Order(1)
    void keepsWhatComesLater() {
        List<Stock> stocks = new ArrayList<>();
        Keeper keeper = new Keeper(stocks);
        stocks.add(new Stock(1));
        stocks.get(0).order("Ann", 1);
        stocks.add(new Stock(2));
        assertEquals(0, keeper.packLast());
    }

    @Test
    @Order(2)
    void packsAll() {
        List<String> names = new ArrayList<>(List.of("Ann", "Bob", ""));
        names.removeIf(name -> name.isEmpty());
        Stock stock = new Stock(3);
        names.forEach(name -> stock.order(name, 1));
        assertEquals(2, stock.pack());
    }

    @Test
    @Order(3)
    void packsInParts() {
        Stock small = new Stock(2);
        Stock large = new Stock(5);
        assertAll(
                () -> {
                    small.order("Ann", 1);
                    assertEquals(1, small.pack());
                },
                () -> {
                    large.order("Bob", 2);
                    large.order("Bob", 1);
                    assertEquals(1, large.pack());
                });
    }
}
