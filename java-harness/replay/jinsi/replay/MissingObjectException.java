package jinsi.replay;

/** An object cannot be had, because observed code that was left out would have made or completed it. */
final class MissingObjectException extends Exception {
    private static final long serialVersionUID = 1;

    MissingObjectException(String message) {
        super(message, null, false, false);
    }
}
