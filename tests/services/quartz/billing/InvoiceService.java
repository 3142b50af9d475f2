package billing;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

public class InvoiceService {
    private final AtomicLong numbers = new AtomicLong(70_000);
    private final Map<String, Integer> lastMonth = new ConcurrentHashMap<>();
    private final UsageRepository usage;
    private final Tariffs tariffs;

    public InvoiceService(UsageRepository usage, Tariffs tariffs) {
        this.usage = usage;
        this.tariffs = tariffs;
    }

    /** Bills what a customer used in a month, and grants the special tariff to those who talk long on average. */
    public Invoice bill(String customer, int month) {
        Integer before = lastMonth.put(customer, month);
        if (before != null && before > month) {
            throw new IllegalStateException("month " + before + " of " + customer + " is billed before month " + month);
        }
        List<Call> calls = usage.take(customer, month);
        long seconds = calls.stream().mapToLong(Call::seconds).sum();
        long minutes = calls.stream().mapToLong(call -> (call.seconds() + 59) / 60).sum();
        if (!calls.isEmpty() && seconds / calls.size() > 600) {
            tariffs.grant(customer, 7);
        }
        return new Invoice(numbers.incrementAndGet(), customer, month, minutes, minutes * tariffs.centsPerMinute(customer));
    }
}
