package orders;

import java.util.List;
import org.springframework.stereotype.Service;

/** An order, as it comes in. */
record OrderRequest(String customer, List<Item> items, String coupon) {}

/** So many pieces of something. */
record Item(String sku, int quantity) {}

/** What an order costs. */
record OrderReply(String customer, long cents) {}

@Service
class OrderService {
    private final PriceRepository prices;
    private final CouponService coupons;

    OrderService(PriceRepository prices, CouponService coupons) {
        this.prices = prices;
        this.coupons = coupons;
    }

    OrderReply create(OrderRequest request) {
        long sum = 0;
        for (Item item : request.items()) {
            sum += prices.find(item.sku()).orElse(0L) * item.quantity();
        }
        return new OrderReply(request.customer(), coupons.before(request.coupon(), sum));
    }
}
