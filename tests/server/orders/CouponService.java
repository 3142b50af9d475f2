package orders;

import java.util.HashMap;
import java.util.Map;
import org.springframework.stereotype.Service;

/** Coupons, each of which takes off so many percent. */
@Service
class CouponService {
    private final Map<String, Integer> percent = new HashMap<>(Map.of("TEN", 10, "ALL", 100));

    /** The price before the coupon was taken off. */
    long before(String code, long sum) {
        if (code == null) {
            return sum;
        }
        int off = percent.get(code.trim());
        return sum * 100 / (100 - off);
    }
}
