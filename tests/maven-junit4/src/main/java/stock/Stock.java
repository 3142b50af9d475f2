package stock;

import java.util.ArrayList;
import java.util.List;

/** What lies in a shop. Takes orders for more than there is, and notices only when it packs. */
public class Stock {
    private final List<String> orders = new ArrayList<>();
    private int left;

    public Stock(int left) {
        this.left = left;
    }

    public void order(String customer, int count) {
        if (customer.isEmpty()) {
            throw new IllegalArgumentException("an order needs a customer");
        }
        orders.add(customer);
        left -= count;
    }

    public int pack() {
        if (left < 0) {
            throw new IllegalStateException("nothing left for " + orders.get(orders.size() - 1));
        }
        return orders.size();
    }
}
