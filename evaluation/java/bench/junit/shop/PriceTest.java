package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class PriceTest {
    @Test
    void adds() {
        assertEquals("3.05", new Price(250).plus(new Price(55)).toString());
    }

    @Test
    void multiplies() {
        assertEquals("12.50", new Price(250).times(5).toString());
    }

    @Test
    void refusesDebts() {
        assertThrows(IllegalArgumentException.class, () -> new Price(-1));
    }
}
