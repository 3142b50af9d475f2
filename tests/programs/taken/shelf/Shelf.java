package taken.shelf;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.Spliterator;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Makes books, and gives them away in arrays, containers, views, iterators and streams. */
public final class Shelf {
    private final List<Book> books = new ArrayList<>();
    private final Book[] front = {new Book(1), new Book(2), new Book(3)};

    private static List<Book> fresh(int count) {
        List<Book> fresh = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            fresh.add(i % 3 == 2 ? new Book.Atlas(100 + i, "map " + i) : new Book(100 + i));
        }
        return fresh;
    }

    private static Map<String, Book> named(int count) {
        Map<String, Book> named = new LinkedHashMap<>();
        for (Book book : fresh(count)) {
            named.put("book " + named.size(), book);
        }
        return named;
    }

    public Book[] array() {
        return fresh(5).toArray(new Book[0]);
    }

    public Object[] mixed() {
        return new Object[] {"text", 7, null, new Book(11), new int[] {1}, new Book(12)};
    }

    public Book[][] arrays() {
        return new Book[][] {array(), {}, array()};
    }

    public List<Book> list() {
        return fresh(4);
    }

    public List<List<Book>> lists() {
        return Arrays.asList(fresh(2), Collections.emptyList(), fresh(3));
    }

    public Map<String, List<Book>> map() {
        Map<String, List<Book>> map = new TreeMap<>();
        map.put("b", fresh(2));
        map.put("a", fresh(3));
        return map;
    }

    public Collection<Book> values() {
        return Collections.unmodifiableCollection(named(4).values());
    }

    public Set<Map.Entry<String, Book>> entries() {
        return named(3).entrySet();
    }

    public Iterator<Book> iterator() {
        return named(4).values().iterator();
    }

    public Iterator<List<Book>> lists(int count) {
        return Collections.nCopies(1, fresh(count)).iterator();
    }

    public List<Book> middle() {
        return fresh(6).subList(2, 5);
    }

    public Stream<Book> stream() {
        return fresh(4).stream();
    }

    public Stream<Book> atlases() {
        return fresh(9).stream().filter(book -> book instanceof Book.Atlas);
    }

    public Spliterator<Book> spliterator() {
        return Arrays.spliterator(array());
    }

    public List<Book> readOnly() {
        return Collections.unmodifiableList(fresh(6));
    }

    public List<Map.Entry<String, Book>> pairs() {
        return new ArrayList<>(named(4).entrySet());
    }

    public Optional<Book> first() {
        return Optional.of(new Book(5));
    }

    /** What is kept inside, too, and changes there after it was given away. */
    public List<Book> kept() {
        books.add(new Book(20 + books.size()));
        return books;
    }

    public Book[] front() {
        return front;
    }

    public void replace(int at, int pages) {
        front[at] = new Book(pages);
    }

    /** What was given away comes back. */
    public int read(Book... back) {
        int sum = 0;
        for (Book book : back) {
            sum += book.read();
        }
        return sum;
    }

    public int show(Reader reader) {
        return reader.all(array()) + reader.some(fresh(3), named(2));
    }
}
