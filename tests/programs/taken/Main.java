package taken;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import taken.shelf.Book;
import taken.shelf.Reader;
import taken.shelf.Shelf;

/** The environment of {@link Shelf}: takes books out of what it was given, and reads them. */
public final class Main {
    private Main() {
    }

    public static void main(String[] args) {
        Shelf shelf = new Shelf();
        arrays(shelf);
        containers(shelf);
        iterators(shelf);
        passedBy(shelf);
        changed(shelf);
        int shown = shelf.show(new Reader() {
            @Override
            public int all(Book[] books) {
                return books[3].read() + books[1].read();
            }

            @Override
            public int some(List<Book> books, Map<String, Book> named) {
                return books.get(2).read() + named.get("book 1").read();
            }
        });
        System.out.println(shown);
    }

    private static void arrays(Shelf shelf) {
        Book[] array = shelf.array();
        System.out.println(array[3].read() + " " + ((Book.Atlas) array[2]).of() + " " + array[3].read());
        Object[] mixed = shelf.mixed();
        System.out.println(((Book) mixed[5]).read() + ((Book) mixed[3]).read());
        Book[][] arrays = shelf.arrays();
        System.out.println(arrays[2][4].read() + " " + arrays[0][1].read());
        System.out.println(shelf.read(arrays[2]) + " " + shelf.read(arrays[2][0], array[4]));
    }

    private static void containers(Shelf shelf) {
        System.out.println(shelf.list().get(3).read());
        System.out.println(shelf.lists().get(2).get(1).read());
        for (List<Book> books : shelf.map().values()) {
            System.out.println(books.get(1).read());
        }
        shelf.values().forEach(book -> System.out.println(book.read()));
        for (Map.Entry<String, Book> entry : shelf.entries()) {
            System.out.println(entry.getKey() + " " + entry.getValue().read());
        }
        System.out.println(shelf.first().get().read());
        for (Book book : shelf.middle()) {
            System.out.println(book.read());
        }
    }

    private static void iterators(Shelf shelf) {
        // One is in the middle of the other.
        Iterator<Book> outer = shelf.iterator();
        while (outer.hasNext()) {
            System.out.println(outer.next().read());
            Iterator<Book> inner = shelf.iterator();
            while (inner.hasNext()) {
                System.out.println(inner.next().read());
            }
        }
        System.out.println(shelf.lists(2).next().get(0).read());
        System.out.println(shelf.stream().mapToInt(Book::read).sum());
        System.out.println(shelf.atlases().mapToInt(Book::read).sum());
        shelf.spliterator().forEachRemaining(book -> System.out.println(book.read()));
    }

    /** Not all of them are asked for something. */
    private static void passedBy(Shelf shelf) {
        List<Book> readOnly = shelf.readOnly();
        System.out.println(readOnly.get(4).read() + " " + readOnly.get(1).read());
        System.out.println(shelf.middle().get(2).read());
        System.out.println(shelf.stream().skip(3).findFirst().map(Book::read).orElse(0));
        System.out.println(shelf.pairs().get(3).getValue().read());
        Iterator<Map.Entry<String, Book>> entries = shelf.entries().iterator();
        entries.next();
        System.out.println(entries.next().getValue().read());
        System.out.println(shelf.values().stream().mapToInt(Book::read).max().getAsInt());
    }

    /** What observed code has changed since it went out. */
    private static void changed(Shelf shelf) {
        List<Book> kept = shelf.kept();
        System.out.println(kept.get(0).read());
        shelf.kept();
        shelf.kept();
        System.out.println(kept.get(1).read() + " " + kept.get(2).read());
        Book[] front = shelf.front();
        System.out.println(front[1].read());
        shelf.replace(1, 9);
        System.out.println(front[1].read() + " " + front[2].read());
        System.out.println(shelf.read(front[0]));
    }
}
