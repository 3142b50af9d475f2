package shipping;

import java.util.Optional;

/** Who takes parcels. */
public interface Carrier {
    String name();

    /** What it would cost; empty if the carrier cannot take it. */
    Optional<Quote> quote(Parcel parcel);

    /** Takes the parcel. */
    void book(Parcel parcel);
}
