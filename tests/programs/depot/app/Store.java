package depot.app;

import java.util.HashMap;
import java.util.Map;

/** How many pieces there are of each article. */
public class Store {
    private final Map<String, Integer> pieces = new HashMap<>();

    public void put(String article, int count) {
        pieces.merge(article, count, Integer::sum);
    }

    /** The share of one piece, in per cent. Fails if there is none. */
    public int share(String article) {
        return 100 / pieces.get(article);
    }
}
