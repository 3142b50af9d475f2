package fulfilment;

import java.util.Map;
import java.util.TreeMap;

public class CustomerStatistics {
    private final Map<String, Integer> pieces = new TreeMap<>();

    public synchronized void ordered(String customer, int quantity) {
        pieces.merge(customer, quantity, Integer::sum);
    }

    public synchronized int pieces(String customer) {
        return pieces.getOrDefault(customer, 0);
    }
}
