package taken.shelf;

import java.util.List;
import java.util.Map;

/** Gets books as arguments; implemented outside. */
public interface Reader {
    int all(Book[] books);

    int some(List<Book> books, Map<String, Book> named);
}
