package orders;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
class OrderController {
    private final OrderService orders;

    OrderController(OrderService orders) {
        this.orders = orders;
    }

    @PostMapping("/orders/{id}/lines/{article}/{count}")
    Order add(@PathVariable("id") int id, @PathVariable("article") String article, @PathVariable("count") int count) {
        return orders.add(id, article, count);
    }

    @PostMapping("/orders/{id}/ship")
    Order ship(@PathVariable("id") int id) {
        return orders.ship(id);
    }
}
