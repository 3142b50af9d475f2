package parcels;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Where parcels wait. */
public final class Depot {
    private final List<Parcel> waiting = new ArrayList<>();

    /** Adds a parcel. */
    public void store(Parcel parcel) {
        waiting.add(parcel);
    }

    /** Numbers of the parcels that weigh at least so much. */
    public List<String> from(int grams) {
        return waiting.stream().filter(parcel -> parcel.grams() >= grams).map(Parcel::number).collect(Collectors.toList());
    }
}
