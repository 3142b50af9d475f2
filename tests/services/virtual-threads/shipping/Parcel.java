package shipping;

public record Parcel(int grams, Zone zone) {}
