package reviews;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

@Service
public class RatingService {
    private final ReviewRepository repository;
    private final SpamFilter spam;
    private final ConcurrentMap<String, Rating> cache = new ConcurrentHashMap<>();

    public RatingService(ReviewRepository repository, SpamFilter spam) {
        this.repository = repository;
        this.spam = spam;
    }

    public Mono<Rating> rating(String product) {
        Rating cached = cache.get(product);
        if (cached != null) {
            return Mono.just(cached);
        }
        return Mono.fromCallable(() -> compute(product))
                .subscribeOn(Schedulers.parallel())
                .doOnNext(rating -> cache.put(product, rating))
                .timeout(Duration.ofSeconds(10));
    }

    public Flux<Review> reviews(String product) {
        List<Review> found = repository.find(product);
        return found == null ? Flux.empty() : Flux.fromIterable(found).filter(review -> !spam.isSpam(review));
    }

    public Mono<Long> add(String product, Review review) {
        return Mono.fromSupplier(() -> repository.add(product, review)).doOnNext(count -> cache.remove(product));
    }

    /** How many reviews were removed. */
    public Mono<Long> removeSpam(String product) {
        return reviewsOf(product).filter(spam::isSpam)
                .filter(review -> repository.remove(product, review))
                .count()
                .doOnNext(count -> cache.remove(product));
    }

    private Flux<Review> reviewsOf(String product) {
        return Flux.defer(() -> {
            List<Review> found = repository.find(product);
            return found == null ? Flux.empty() : Flux.fromIterable(found);
        });
    }

    private Rating compute(String product) {
        List<Review> found = repository.find(product);
        if (found == null) {
            return new Rating(product, 0, 0, 0, List.of());
        }
        int stars = 0;
        int trusted = 0;
        for (Review review : found) {
            stars += review.stars();
            trusted += spam.isSpam(review) ? 0 : 1;
        }
        List<Review> best = found.stream().filter(review -> !spam.isSpam(review))
                .sorted(Comparator.comparingInt(Review::stars).reversed()).limit(3).toList();
        return new Rating(product, found.size(), stars / (double) found.size(), trusted * 100L / found.size(), best);
    }
}
