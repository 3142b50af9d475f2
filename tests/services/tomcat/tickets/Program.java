package tickets;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The shows of the season. A hall is opened when its first ticket is asked for. */
public class Program {
    private final Map<String, Hall> halls = new ConcurrentHashMap<>();

    public Hall hall(String show) {
        return halls.computeIfAbsent(show, Program::open);
    }

    private static Hall open(String show) {
        return show.startsWith("studio") ? new Hall(1, 5) : new Hall(26, 40);
    }
}
