package heirs.app;

/** Has its page as soon as anybody asks for it. */
final class First {
    static final Page PAGE = Ledger.page();

    private First() {
    }
}
