package parcels;

import java.util.ArrayList;
import java.util.List;

/** What is in a van. */
public final class Manifest {
    private final List<Parcel> parcels = new ArrayList<>();

    /** Adds a parcel. */
    public void load(Parcel parcel) {
        parcels.add(parcel);
    }

    /** The towns that parcels go to, each once, in the order of the parcels. */
    public List<String> towns() {
        List<String> towns = new ArrayList<>();
        for (Parcel parcel : parcels) {
            String town = parcel.town();
            if (!towns.contains(town)) {
                towns.add(town);
            }
        }
        return towns;
    }
}
