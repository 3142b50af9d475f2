package orders;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.springframework.stereotype.Component;

@Component
public class OrderMetrics {
    private final AtomicLong orders = new AtomicLong();
    private final Map<String, LongAdder> turnover = new ConcurrentHashMap<>();

    public void accepted(String customer, long cents) {
        orders.incrementAndGet();
        turnover.computeIfAbsent(customer, c -> new LongAdder()).add(cents);
    }
}
