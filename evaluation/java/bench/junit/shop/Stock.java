package shop;

import java.util.HashMap;
import java.util.Map;

/** How many pieces there are of each article. */
final class Stock {
    private final Map<String, Integer> pieces = new HashMap<>();

    void add(String article, int count) {
        pieces.merge(article, count, Integer::sum);
    }

    void take(String article, int count) {
        int left = of(article) - count;
        if (left < 0) {
            throw new IllegalStateException(-left + " too few of " + article);
        }
        pieces.put(article, left);
    }

    int of(String article) {
        return pieces.getOrDefault(article, 0);
    }
}
