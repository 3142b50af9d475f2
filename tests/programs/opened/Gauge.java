package opened;

import java.lang.reflect.Field;
import java.util.concurrent.LinkedBlockingQueue;

/** Observed: looks into what is the JDK's own, as its JVM lets it. */
class Gauge {
    private final LinkedBlockingQueue<String> queue;

    Gauge(int capacity) {
        queue = new LinkedBlockingQueue<>(capacity);
    }

    void put(String text) {
        queue.add(text);
    }

    int room() throws ReflectiveOperationException {
        Field field = LinkedBlockingQueue.class.getDeclaredField("capacity");
        field.setAccessible(true);
        int capacity = field.getInt(queue);
        if (capacity < 2) {
            throw new IllegalStateException("made for " + capacity);
        }
        return capacity - queue.size();
    }
}
