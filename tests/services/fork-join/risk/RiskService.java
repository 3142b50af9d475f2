package risk;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicLong;

/** Says what portfolios are worth, and how much of that is at risk. */
public class RiskService {
    private final ForkJoinPool pool;
    private final PriceBook prices;
    private final AtomicLong reports = new AtomicLong();
    private final Map<String, RiskReport> last = new ConcurrentHashMap<>();

    public RiskService(ForkJoinPool pool, PriceBook prices) {
        this.pool = pool;
        this.prices = prices;
    }

    public RiskReport report(Portfolio portfolio) {
        Exposure exposure = pool.invoke(new ExposureTask(portfolio.positions(), 0, portfolio.positions().size(), prices));
        long average = exposure.value() / exposure.positions();
        long percent = exposure.largest() * 100 / Math.max(1, exposure.value());
        RiskReport report = new RiskReport(reports.incrementAndGet(), portfolio.owner(), exposure.value(), average, percent);
        last.merge(portfolio.owner(), report, (a, b) -> a.number() > b.number() ? a : b);
        return report;
    }

    public RiskReport last(String owner) {
        return last.get(owner);
    }
}
