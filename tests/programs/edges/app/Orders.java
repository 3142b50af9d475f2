package edges.app;

import java.util.Map;
import java.util.Set;

/** Immutable sets and maps iterate in an order that each JVM draws when it starts. */
public final class Orders {
    private Orders() {
    }

    public static void main(String... args) {
        Set<String> set = Set.of("a", "b", "c", "d", "e", "f", "g", "h", "i");
        Map<String, Integer> map = Map.of("one", 1, "two", 2, "three", 3, "four", 4, "five", 5, "six", 6);
        StringBuilder text = new StringBuilder();
        for (String element : set) {
            text.append(element);
        }
        for (Map.Entry<String, Integer> entry : map.entrySet()) {
            text.append(' ').append(entry.getKey()).append(entry.getValue());
        }
        System.out.println(text);
    }
}
