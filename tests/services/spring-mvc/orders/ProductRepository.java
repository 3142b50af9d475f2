package orders;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Repository;

@Repository
public class ProductRepository {
    private final Map<String, Product> products = new ConcurrentHashMap<>();

    public ProductRepository() {
        List.of(new Product("tea", "Green tea", 350), new Product("pan", "Frying pan", 2490), new Product("cup", "Cup", 700),
                new Product("pot", "Tea pot", 3100), new Product("jam", "Plum jam", 420), new Product("tea-sample", "A sample of tea", 0))
                .forEach(product -> products.put(product.sku(), product));
    }

    public Optional<Product> findBySku(String sku) {
        return Optional.ofNullable(products.get(sku));
    }
}
