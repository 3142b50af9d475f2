package feed;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

public class SensorRegistry {
    private final ConcurrentMap<String, Sensor> sensors = new ConcurrentHashMap<>();
    private final AtomicInteger created = new AtomicInteger();

    public Sensor sensor(String name) {
        return sensors.computeIfAbsent(name, n -> {
            created.incrementAndGet();
            return new Sensor(n);
        });
    }

    public int size() {
        return created.get();
    }
}
