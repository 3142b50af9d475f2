package spin;

import java.util.ArrayList;
import java.util.List;

/** A queue that waits for more by asking again and again. */
final class Queue {
    private final List<String> items = new ArrayList<>();

    void put(String item) {
        items.add(item);
    }

    /** Takes so many. */
    int drain(int wanted) {
        int taken = 0;
        while (taken < wanted) {
            if (take() != null) {
                taken++;
            }
        }
        return taken;
    }

    private String take() {
        return items.isEmpty() ? null : items.remove(0);
    }
}
