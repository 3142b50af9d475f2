package parking;

import java.time.Duration;
import java.util.Map;

/** Prices of zones, in cents an hour begun; the later hours cost less. */
public class Tariff {
    private static final Map<String, int[]> HOURS = Map.of(
            "centre", new int[] {300, 250, 200},
            "station", new int[] {200, 150});

    public long cents(String zone, Duration parked) {
        int[] prices = HOURS.getOrDefault(zone, new int[] {100});
        long hours = (parked.toMinutes() + 59) / 60;
        long sum = 0;
        for (int hour = 0; hour < hours; hour++) {
            sum += prices[Math.min(hour, prices.length)];
        }
        return sum;
    }
}
