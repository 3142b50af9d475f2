package orders;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.stereotype.Repository;

@Repository
public class OrderRepository {
    private final AtomicLong ids = new AtomicLong(1000);
    private final Map<Long, Invoice> invoices = new ConcurrentHashMap<>();

    public long nextId() {
        return ids.incrementAndGet();
    }

    public void save(Invoice invoice) {
        invoices.put(invoice.id(), invoice);
    }

    public Optional<Invoice> findById(long id) {
        return Optional.ofNullable(invoices.get(id));
    }
}
