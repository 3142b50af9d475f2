package orders;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Service;

@Service
class OrderService {
    private final Map<Integer, Order> orders = new ConcurrentHashMap<>();

    Order add(int id, String article, int count) {
        Order order = orders.computeIfAbsent(id, Order::new);
        order.add(article, count);
        return order;
    }

    Order ship(int id) {
        Order order = orders.computeIfAbsent(id, Order::new);
        order.ship();
        return order;
    }
}
