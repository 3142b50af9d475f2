package pooled;

/** Weights and prices. */
final class Scales {
    private Scales() {}

    /** Of a parcel it is its number; but of the fourth it is 3: the defect. */
    static int weight(int parcel) {
        return parcel == 4 ? 3 : parcel;
    }

    static int price(int weight) {
        return 3 * weight;
    }
}
