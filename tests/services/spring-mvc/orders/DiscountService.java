package orders;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Service;

/** Coupons, and a rebate for those who order often. */
@Service
public class DiscountService {
    private final Map<String, Integer> coupons = Map.of("SPRING", 10, "FRIENDS", 25);
    private final Map<String, Integer> ordersOf = new ConcurrentHashMap<>();

    public long apply(String customer, String coupon, long cents) {
        int count = ordersOf.merge(customer, 1, Integer::sum);
        int percent = Math.min(count / 10, 5);
        if (coupon != null) {
            percent += coupons.getOrDefault(coupon, 0);
        }
        return cents - cents * percent / 100;
    }
}
