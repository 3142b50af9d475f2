package heirs.app;

/** A desk of our own. */
final class OwnDesk extends Desk {
    @Override
    protected int lines() {
        return 3;
    }
}
