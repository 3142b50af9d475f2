package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class CartTest {
    @Test
    void bills() {
        Stock stock = new Stock();
        stock.add("bolt", 10);
        stock.add("nut", 10);
        Cart cart = new Cart(stock);
        cart.put("bolt", 3, new Price(120));
        cart.put("nut", 6, new Price(15));
        assertEquals("3 bolt, 6 nut: 4.50", cart.bill());
        assertEquals(7, stock.of("bolt"));
    }
}
