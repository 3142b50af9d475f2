package tickets;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** Who wants to be called when seats become free. */
public class WaitingList {
    private final Map<String, Deque<String>> customers = new HashMap<>();

    public synchronized void add(String show, String customer) {
        Deque<String> queue = customers.computeIfAbsent(show, s -> new ArrayDeque<>());
        if (!queue.contains(customer)) {
            queue.addLast(customer);
        }
    }

    public synchronized int length(String show) {
        return customers.getOrDefault(show, new ArrayDeque<>()).size();
    }
}
