package parcels;

/** What it costs to send a parcel. */
public final class Tariff {
    private final int base;
    private final int perKilogram;

    /** A price for each parcel, and one for each kilogram that is begun. */
    public Tariff(int base, int perKilogram) {
        this.base = base;
        this.perKilogram = perKilogram;
    }

    /** The price of a parcel. */
    public int cents(Parcel parcel) {
        return base + perKilogram * kilograms(parcel.grams());
    }

    private static int kilograms(int grams) {
        return (grams + 999) / 1000;
    }
}
