package search;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A shop that is asked for offers. */
public class Shop {
    private final String name;
    private final ConcurrentMap<String, AtomicInteger> stock = new ConcurrentHashMap<>();
    private final int pieces;

    public Shop(String name, int pieces) {
        this.name = name;
        this.pieces = pieces;
    }

    public String name() {
        return name;
    }

    /** Offers as long as there is something left. */
    public List<Offer> offers(String article) {
        int left = stock.computeIfAbsent(article, a -> new AtomicInteger(pieces)).get();
        if (left == 0) {
            return List.of();
        }
        long cents = 100 + Math.floorMod(article.hashCode() * 31 + name.hashCode(), 900);
        return List.of(new Offer(name, article, cents, 1 + Math.floorMod(name.hashCode(), 5)));
    }

    public boolean buy(String article) {
        return stock.computeIfAbsent(article, a -> new AtomicInteger(pieces)).getAndUpdate(n -> n > 0 ? n - 1 : 0) > 0;
    }
}
