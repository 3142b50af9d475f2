package heirs.app;

import java.util.function.IntSupplier;

/** Where pages are written. Others have desks of their own, on which this code runs, too. */
public abstract class Desk {
    private final Page cover;

    /** A desk with a cover. */
    protected Desk() {
        cover = Ledger.page().write();
        System.setProperty("heirs.desks", Integer.toString(cover.worth()));
    }

    /** How many lines there are to be written. */
    protected abstract int lines();

    /** Its cover. */
    public final Page cover() {
        return cover;
    }

    /** A page with all lines, or fewer if it is not known how many. */
    public Page written() {
        Page page = Ledger.page();
        First.PAGE.write();
        Ledger.written++;
        page.desk = "desk " + Ledger.written;
        int lines = known(this::lines);
        for (int n = 0; n < lines; n++) {
            page.write();
        }
        if (System.getProperty("heirs.none") != null) {
            return null;
        }
        return started(page);
    }

    /** The same of a page for which there is nothing. */
    public synchronized Page refused(String lines) {
        try {
            Integer.parseInt(lines);
            return null;
        } catch (NumberFormatException e) {
            return Ledger.page().write();
        }
    }

    /** Fails if there are more lines than that. */
    public void check(int most) {
        if (known(this::lines) > most) {
            Ledger.page();
            throw new IllegalStateException("more than " + most);
        }
    }

    private int known(IntSupplier lines) {
        try {
            return lines.getAsInt();
        } catch (UnsupportedOperationException e) {
            return 1 + (int) (System.nanoTime() & 1);
        }
    }

    private static Page started(Page page) {
        return Long.parseLong("1") == 1 ? page.write() : page;
    }
}
