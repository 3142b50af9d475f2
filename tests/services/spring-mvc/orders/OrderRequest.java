package orders;

import java.util.List;

/** What a customer orders. */
public record OrderRequest(String customer, List<OrderLine> lines, String coupon) {}
