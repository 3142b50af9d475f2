package shipping;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** The last quotes; what is booked makes those of its weight void. */
public class QuoteCache {
    private static final int MOST = 200;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Parcel, Quote> quotes = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Parcel, Quote> eldest) {
            return size() > MOST;
        }
    };

    public Optional<Quote> find(Parcel parcel) {
        lock.lock();
        try {
            return Optional.ofNullable(quotes.get(parcel));
        } finally {
            lock.unlock();
        }
    }

    public void put(Parcel parcel, Quote quote) {
        lock.lock();
        try {
            quotes.put(parcel, quote);
        } finally {
            lock.unlock();
        }
    }

    public void forget(Parcel parcel) {
        lock.lock();
        try {
            quotes.keySet().removeIf(other -> other.grams() >= parcel.grams());
        } finally {
            lock.unlock();
        }
    }
}
