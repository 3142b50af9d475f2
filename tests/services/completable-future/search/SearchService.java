package search;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;

/** Asks several shops at the same time, and puts together what they offer. */
public class SearchService {
    private final List<Shop> shops;
    private final Executor executor;
    private final Map<String, LongAdder> popular = new ConcurrentHashMap<>();

    public SearchService(List<Shop> shops, Executor executor) {
        this.shops = shops;
        this.executor = executor;
    }

    public CompletableFuture<SearchResult> search(String query) {
        popular.computeIfAbsent(query, q -> new LongAdder()).increment();
        List<CompletableFuture<List<Offer>>> answers = shops.stream()
                .map(shop -> CompletableFuture.supplyAsync(() -> shop.offers(query), executor))
                .toList();
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(done -> answers.stream().map(CompletableFuture::join).flatMap(Collection::stream).toList())
                .thenApply(offers -> result(query, offers));
    }

    /** Buys where it is cheapest; the shop's name. */
    public CompletableFuture<String> buy(String query) {
        return search(query).thenApply(result -> {
            Offer cheapest = result.offers().get(0);
            return shops.stream().filter(shop -> shop.name().equals(cheapest.shop())).findFirst().orElseThrow();
        }).thenApply(shop -> shop.buy(query) ? shop.name() : "none");
    }

    private SearchResult result(String query, List<Offer> offers) {
        List<Offer> sorted = offers.parallelStream().sorted(Comparator.comparingLong(Offer::cents)).toList();
        double stars = sorted.parallelStream().mapToInt(Offer::stars).average().orElse(0);
        long lowest = sorted.get(0).cents();
        long highest = sorted.get(sorted.size() - 1).cents();
        return new SearchResult(query, sorted, stars, (highest - lowest) * 100 / lowest);
    }

    public long searches(String query) {
        return popular.getOrDefault(query, new LongAdder()).sum();
    }
}
