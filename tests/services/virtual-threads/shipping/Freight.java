package shipping;

import java.util.Optional;

/** Takes what is heavy, until the lorry is full. */
public class Freight implements Carrier {
    private long free;

    public Freight(int kilograms) {
        free = kilograms * 1_000L;
    }

    @Override
    public String name() {
        return "freight";
    }

    @Override
    public synchronized Optional<Quote> quote(Parcel parcel) {
        if (parcel.grams() > free) {
            return Optional.empty();
        }
        return Optional.of(new Quote(name(), 2_500L + parcel.grams() * (long) parcel.zone().factor() / 5_000));
    }

    @Override
    public synchronized void book(Parcel parcel) {
        free -= parcel.grams();
    }
}
