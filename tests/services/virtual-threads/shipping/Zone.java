package shipping;

public enum Zone {
    LOCAL(100), COUNTRY(150), EUROPE(320), WORLD(900);

    private final int factor;

    Zone(int factor) {
        this.factor = factor;
    }

    public int factor() {
        return factor;
    }
}
