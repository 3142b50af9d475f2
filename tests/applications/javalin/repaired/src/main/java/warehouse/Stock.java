package warehouse;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** How many there are of each item. */
public class Stock {
    private final Map<String, Integer> counts = new ConcurrentHashMap<>();

    public void put(String item, int count) {
        counts.merge(item, count, Integer::sum);
    }

    public void take(String item, int count) {
        int left = counts.getOrDefault(item, 0) - count;
        if (left == 0) {
            counts.remove(item);
        } else {
            counts.put(item, left);
        }
    }

    public String describe(String item) {
        int count = counts.getOrDefault(item, 0);
        return item + ": " + (count < 5 ? "only " : "") + count;
    }
}
