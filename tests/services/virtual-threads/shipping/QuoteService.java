package shipping;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;

/** Asks all carriers at the same time and takes the cheapest. */
public class QuoteService {
    private final List<Carrier> carriers;
    private final ExecutorService threads;
    private final QuoteCache cache;
    private final LongAdder asked = new LongAdder();

    public QuoteService(List<Carrier> carriers, ExecutorService threads, QuoteCache cache) {
        this.carriers = carriers;
        this.threads = threads;
        this.cache = cache;
    }

    public Quote quote(Parcel parcel) {
        Optional<Quote> known = cache.find(parcel);
        if (known.isPresent()) {
            return known.get();
        }
        Quote best = cheapest(parcel);
        cache.put(parcel, best);
        return best;
    }

    public Quote book(Parcel parcel) {
        Quote best = cheapest(parcel);
        for (Carrier carrier : carriers) {
            if (carrier.name().equals(best.carrier())) {
                carrier.book(parcel);
            }
        }
        cache.forget(parcel);
        return best;
    }

    private Quote cheapest(Parcel parcel) {
        List<Future<Optional<Quote>>> answers = new ArrayList<>();
        for (Carrier carrier : carriers) {
            asked.increment();
            answers.add(threads.submit(() -> carrier.quote(parcel)));
        }
        List<Quote> quotes = new ArrayList<>();
        for (Future<Optional<Quote>> answer : answers) {
            answered(answer).ifPresent(quotes::add);
        }
        quotes.sort(Comparator.comparingLong(Quote::cents));
        return quotes.getFirst();
    }

    private static Optional<Quote> answered(Future<Optional<Quote>> answer) {
        try {
            return answer.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (ExecutionException e) {
            return Optional.empty();
        }
    }
}
