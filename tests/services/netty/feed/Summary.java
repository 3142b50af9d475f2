package feed;

/** What a sensor measured lately. */
public record Summary(String sensor, int count, double average, double median, double drift) {}
