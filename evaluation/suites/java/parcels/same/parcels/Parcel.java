package parcels;

/** A parcel on its way to a town. */
public final class Parcel {
    private final String number;
    private final String town;
    private final int grams;

    /** A parcel with a number, for a town. */
    public Parcel(String number, String town, int grams) {
        this.number = number;
        this.town = town;
        this.grams = grams;
    }

    /** What is written on it. */
    public String number() {
        return number;
    }

    /** Where it goes. */
    public String town() {
        return town;
    }

    /** Its weight. */
    public int grams() {
        return grams;
    }
}
