package wrapped;

/** Reads two lines. The second has nothing between two separators: a cast fails in the parser, and the reader wraps that. */
public final class Main {
    private Main() {
    }

    public static void main(String[] args) {
        Reader reader = new Reader(new Options(";"));
        System.out.println(reader.sum("1;2"));
        System.out.println(reader.sum("1;;2"));
    }
}
