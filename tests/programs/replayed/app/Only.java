package replayed.app;

import java.io.Serializable;

/** Without fields; what is read is the one that is there. */
final class Only implements Serializable {
    static final Only INSTANCE = new Only();
    private static final long serialVersionUID = 1;

    private Only() {
    }

    private Object readResolve() {
        return INSTANCE;
    }
}
