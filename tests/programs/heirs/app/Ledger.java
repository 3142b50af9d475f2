package heirs.app;

import java.util.ArrayList;
import java.util.List;

/** Makes all pages, and knows them. */
final class Ledger {
    private static final List<Page> PAGES = new ArrayList<>();

    /** How many pages desks have written. */
    static int written;

    private Ledger() {
    }

    static Page page() {
        Page page = new Page(PAGES.size() + 1);
        PAGES.add(page);
        return page;
    }

    static int worth() {
        return written + PAGES.stream().mapToInt(Page::worth).sum();
    }
}
