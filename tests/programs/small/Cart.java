package small;

import java.util.ArrayList;
import java.util.List;

/** Items and a coupon. */
class Cart {
    private final List<Item> items = new ArrayList<>();
    private Coupon coupon;

    void add(Item item) {
        items.add(item);
    }

    void redeem(Coupon redeemed) {
        coupon = redeemed;
    }

    int total() {
        int sum = 0;
        for (Item item : items) {
            sum += item.cents();
        }
        return coupon == null ? sum : coupon.applyTo(sum);
    }
}
