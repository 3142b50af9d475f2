package till;

import java.util.Map;

/** Serves customers one after the other, and goes on when one of them cannot be served. */
public class Main {
    public static void main(String[] args) {
        Coupons coupons = new Coupons();
        for (String code : new String[] {"TEN", "SPRING", "ALL"}) {
            try {
                System.out.println(coupons.before(code, 900));
            } catch (RuntimeException e) {
                System.out.println(code + " is not taken");
            }
        }
    }
}

class Coupons {
    private final Map<String, Integer> percent = Map.of("TEN", 10, "ALL", 100);

    /** The price before the coupon was taken off. */
    long before(String code, long paid) {
        int off = percent.get(code);
        return paid * 100 / (100 - off);
    }
}
