package taken.shelf;

/** Nobody outside has seen it when it leaves in what holds it. */
public class Book {
    private final int pages;
    private int read;

    public Book(int pages) {
        this.pages = pages;
    }

    /** Differs between books, and between one time and the next. */
    public int read() {
        return pages * 10 + ++read;
    }

    /** One of another class, with the same methods. */
    public static final class Atlas extends Book {
        private final String of;

        public Atlas(int pages, String of) {
            super(pages);
            this.of = of;
        }

        public String of() {
            return of;
        }
    }
}
