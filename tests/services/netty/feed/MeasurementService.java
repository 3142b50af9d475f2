package feed;

import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

public class MeasurementService {
    private final SensorRegistry registry;
    private final LongAdder added = new LongAdder();

    public MeasurementService(SensorRegistry registry) {
        this.registry = registry;
    }

    public long add(String sensor, double value) {
        added.increment();
        return registry.sensor(sensor).add(value);
    }

    public Summary summary(String sensor, int most) {
        double[] values = registry.sensor(sensor).last(most);
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        double average = Arrays.stream(values).average().orElse(0);
        double median = sorted[sorted.length / 2];
        double drift = values[values.length - 1] - values[0];
        return new Summary(sensor, values.length, average, median, drift);
    }
}
