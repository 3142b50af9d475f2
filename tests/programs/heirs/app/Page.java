package heirs.app;

/** A page with a number. */
public final class Page {
    private final int number;
    private int lines;
    /** Marks of whoever. */
    public int marks;
    /** What it is written on, if that is known. */
    String desk;

    Page(int number) {
        this.number = number;
    }

    /** Writes a line. */
    public Page write() {
        lines++;
        return this;
    }

    /** What it is worth. */
    public int worth() {
        return number * lines + marks + (desk == null ? 0 : desk.length());
    }
}
