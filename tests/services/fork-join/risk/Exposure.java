package risk;

/** What some positions are worth, those that are worth something. */
public record Exposure(int positions, long value, long largest) {
    public static final Exposure NONE = new Exposure(0, 0, 0);

    public Exposure plus(Exposure other) {
        return new Exposure(positions + other.positions, value + other.value, Math.max(largest, other.largest));
    }
}
