package orders;

import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Service;

@Service
public class OrderService {
    private final ProductRepository products;
    private final OrderRepository orders;
    private final StockService stock;
    private final DiscountService discounts;

    public OrderService(ProductRepository products, OrderRepository orders, StockService stock, DiscountService discounts) {
        this.products = products;
        this.orders = orders;
        this.stock = stock;
        this.discounts = discounts;
    }

    public Invoice create(OrderRequest request) {
        List<InvoiceLine> lines = request.lines().stream().map(this::line).toList();
        long full = lines.stream().mapToLong(InvoiceLine::cents).sum();
        long total = discounts.apply(request.customer(), request.coupon(), full);
        long saved = 100 - total * 100 / full;
        lines.forEach(line -> stock.take(line.sku(), line.quantity()));
        Invoice invoice = new Invoice(orders.nextId(), request.customer(), lines, full, total, saved);
        orders.save(invoice);
        return invoice;
    }

    public Optional<Invoice> find(long id) {
        return orders.findById(id);
    }

    private InvoiceLine line(OrderLine line) {
        Product product = products.findBySku(line.sku())
                .orElseThrow(() -> new IllegalArgumentException("no product " + line.sku()));
        return new InvoiceLine(line.sku(), line.quantity(), product.cents() * line.quantity());
    }
}
