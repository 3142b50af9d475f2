package jobs;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What has been imported. */
class Registry {
    private final Map<String, Integer> seen = new ConcurrentHashMap<>();

    int put(String key, int value) {
        return seen.merge(key, value, Integer::sum);
    }
}
