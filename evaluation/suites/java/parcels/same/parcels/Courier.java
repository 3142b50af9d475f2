package parcels;

/** Who brings parcels to towns. */
public interface Courier {
    /** Does the courier go there? */
    boolean takes(String town);

    /** Gives the courier a parcel. */
    void hand(Parcel parcel);
}
