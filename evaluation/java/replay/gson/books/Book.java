package books;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a shelf holds. */
public class Book {
    /** As on the cover. */
    String title;
    /** In the order of the cover. */
    List<String> authors = new ArrayList<>();
    /** In cents, by currency. */
    Map<String, Integer> prices = new LinkedHashMap<>();
    /** The one it continues, if any. */
    Book before;

    Book() {
    }

    Book(String title, Book before, String... authors) {
        this.title = title;
        this.before = before;
        this.authors.addAll(List.of(authors));
    }
}
