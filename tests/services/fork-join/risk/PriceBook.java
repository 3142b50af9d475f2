package risk;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The last price of each paper. */
public class PriceBook {
    private final Map<String, Long> cents = new ConcurrentHashMap<>();
    private volatile long updated;

    public long price(String paper) {
        return cents.computeIfAbsent(paper, PriceBook::firstPrice);
    }

    public void tick(String paper, long price) {
        cents.put(paper, price);
        updated++;
    }

    private static long firstPrice(String paper) {
        return 100 + Math.floorMod(paper.hashCode(), 9_000);
    }
}
