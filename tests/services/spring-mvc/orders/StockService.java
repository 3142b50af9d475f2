package orders;

import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;

/** What is left in the warehouse. */
@Service
public class StockService {
    private static final Logger LOG = LoggerFactory.getLogger(StockService.class);
    private static final int REFILL = 500;

    private final Map<String, Integer> pieces = new HashMap<>();

    public synchronized void take(String sku, int quantity) {
        int left = pieces.getOrDefault(sku, REFILL) - quantity;
        if (left < 0) {
            LOG.debug("{} is ordered from the supplier", sku);
            left += REFILL;
        }
        pieces.put(sku, left);
    }
}
