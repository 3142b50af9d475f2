package reviews;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.stereotype.Component;

/** Finds advertisement, and remembers who writes it. */
@Component
public class SpamFilter {
    private final Map<String, AtomicInteger> suspects = new ConcurrentHashMap<>();

    public boolean isSpam(Review review) {
        if (!review.text().contains("http")) {
            return false;
        }
        suspects.computeIfAbsent(review.author(), a -> new AtomicInteger()).incrementAndGet();
        return true;
    }
}
