package endless;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/** Takes orders, and remembers the last of them. */
final class Service {
    private static final int REMEMBERED = 20;

    private final Map<String, Integer> tariffs = new HashMap<>();
    private final ArrayDeque<Order> last = new ArrayDeque<>();
    private final Sum sum = new Sum();

    void tariff(String name, Integer price) {
        tariffs.put(name, price);
    }

    void take(Order order) {
        int price = tariffs.get(order.tariff());
        sum.add(price * order.count());
        last.add(order);
        if (last.size() > REMEMBERED) {
            last.remove();
        }
    }

    String taken() {
        return sum.value() + " for " + last.getLast().name();
    }

    /** What orders have brought. */
    private static final class Sum {
        private long value;

        void add(int amount) {
            value += amount;
        }

        long value() {
            return value;
        }
    }
}
