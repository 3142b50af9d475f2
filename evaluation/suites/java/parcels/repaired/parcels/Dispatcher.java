package parcels;

import java.util.ArrayList;
import java.util.List;

/** Gives parcels to a courier. */
public final class Dispatcher {
    private final Courier courier;
    private final List<Parcel> left = new ArrayList<>();

    /** One for this courier. */
    public Dispatcher(Courier courier) {
        this.courier = courier;
    }

    /** Gives the courier all parcels for towns that he goes to; how many these are. */
    public int send(List<Parcel> parcels) {
        int sent = 0;
        for (Parcel parcel : parcels) {
            if (courier.takes(parcel.town())) {
                courier.hand(parcel);
                sent++;
            } else {
                left.add(parcel);
            }
        }
        return sent;
    }

    /** How many parcels no courier has taken. */
    public int left() {
        return left.size();
    }
}
