package shipping;

import java.util.Optional;
import java.util.concurrent.Semaphore;

/** A few vans, for what is light and near. */
public class Courier implements Carrier {
    private final Semaphore vans;

    public Courier(int vans) {
        this.vans = new Semaphore(vans);
    }

    @Override
    public String name() {
        return "courier";
    }

    @Override
    public Optional<Quote> quote(Parcel parcel) {
        if (parcel.zone() != Zone.LOCAL || parcel.grams() > 8_000 || vans.availablePermits() == 0) {
            return Optional.empty();
        }
        return Optional.of(new Quote(name(), 300 + parcel.grams() / 50));
    }

    @Override
    public void book(Parcel parcel) {
        vans.tryAcquire();
    }
}
