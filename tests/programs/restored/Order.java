package restored;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Its index of prices is not stored, and nobody makes it anew: the defect. */
public class Order implements Serializable, Cloneable {
    private static final long serialVersionUID = 1;
    private final String number;
    private final int copies;
    private final List<Item> items = new ArrayList<>();
    private final long[] history = new long[3];
    private transient Map<String, Integer> prices = new HashMap<>();

    public Order(String number, int copies) {
        this.number = number;
        this.copies = copies;
    }

    public void add(Item item) {
        items.add(item);
        prices.put(item.name(), item.price());
        history[0]++;
    }

    public int copies() {
        return copies;
    }

    /** Copies of the order twice over: works on a clone. */
    public int doubled() throws CloneNotSupportedException {
        Order copy = (Order) clone();
        return copy.copies() * 2;
    }

    public int total() {
        int sum = 0;
        for (Item item : items) {
            sum += prices.get(item.name()) * copies;
        }
        if (history[0] != items.size()) {
            throw new IllegalStateException(number);
        }
        return sum;
    }
}
