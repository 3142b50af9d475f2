package reviews;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.stereotype.Repository;

@Repository
public class ReviewRepository {
    private final ConcurrentMap<String, List<Review>> reviews = new ConcurrentHashMap<>();
    private final AtomicLong count = new AtomicLong();

    public long add(String product, Review review) {
        reviews.computeIfAbsent(product, p -> new CopyOnWriteArrayList<>()).add(review);
        return count.incrementAndGet();
    }

    /** The reviews; null if the product has never had one. */
    public List<Review> find(String product) {
        return reviews.get(product);
    }

    public boolean remove(String product, Review review) {
        return reviews.get(product).remove(review);
    }
}
