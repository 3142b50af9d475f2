package parcels;

public record Parcel(String town, int grams, String country) {
}
