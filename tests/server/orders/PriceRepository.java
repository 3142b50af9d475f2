package orders;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Repository;

/** Prices in cents. */
@Repository
class PriceRepository {
    private final Map<String, Long> cents = new ConcurrentHashMap<>(Map.of("tea", 350L, "pan", 2490L));

    Optional<Long> find(String sku) {
        return Optional.ofNullable(cents.get(sku));
    }
}
