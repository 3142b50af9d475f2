package rail;

/** Equal by its contents, without a text of its own. */
public final class Stop {
    private final String station;
    private final int platform;

    public Stop(String station, int platform) {
        this.station = station;
        this.platform = platform;
    }

    public String getStation() {
        return station;
    }

    public int getPlatform() {
        return platform;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Stop stop && stop.station.equals(station) && stop.platform == platform;
    }

    @Override
    public int hashCode() {
        return station.hashCode() + platform;
    }
}
