package fulfilment;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/** The lots of each article, the oldest first. */
public class Warehouse {
    private final ConcurrentMap<String, Deque<Lot>> lots = new ConcurrentHashMap<>();
    private final AtomicLong shipped = new AtomicLong();

    public void add(String sku, Lot lot) {
        Deque<Lot> all = lots.computeIfAbsent(sku, s -> new ArrayDeque<>());
        synchronized (all) {
            all.addLast(lot);
        }
    }

    /** Ships what there is, the oldest first, and says until when the rest is good. */
    public Shipment ship(String order, String sku, int quantity) {
        Deque<Lot> all = lots.computeIfAbsent(sku, s -> new ArrayDeque<>());
        synchronized (all) {
            if (all.isEmpty()) {
                return new Shipment(order, sku, 0, 0);
            }
            int missing = quantity;
            while (missing > 0 && !all.isEmpty()) {
                Lot lot = all.removeFirst();
                if (lot.quantity() > missing) {
                    all.addFirst(new Lot(lot.quantity() - missing, lot.day()));
                }
                missing -= Math.min(missing, lot.quantity());
            }
            shipped.addAndGet(quantity - missing);
            return new Shipment(order, sku, quantity - missing, all.getFirst().day());
        }
    }
}
