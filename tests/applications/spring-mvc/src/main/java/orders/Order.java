package orders;

import java.util.LinkedHashMap;
import java.util.Map;

/** An order, until it is shipped. */
public class Order {
    private final int id;
    private final Map<String, Integer> lines = new LinkedHashMap<>();
    private boolean shipped;

    public Order(int id) {
        this.id = id;
    }

    public void add(String article, int count) {
        if (shipped) {
            throw new IllegalArgumentException("order " + id + " is on its way");
        }
        lines.put(article, count);
    }

    /** Ships what is ordered. */
    public void ship() {
        int articles = lines.values().stream().mapToInt(Integer::intValue).sum();
        if (articles <= 1) {
            throw new IllegalStateException("order " + id + " is empty");
        }
        shipped = true;
    }

    public int getId() {
        return id;
    }

    public Map<String, Integer> getLines() {
        return lines;
    }

    public boolean isShipped() {
        return shipped;
    }
}
