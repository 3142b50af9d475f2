package jinsi.replay;

import java.io.IOException;

/** A session file that does not follow java-harness/SESSION.md. */
public final class SessionFormatException extends IOException {
    private static final long serialVersionUID = 1;

    SessionFormatException(String message) {
        super(message);
    }
}
