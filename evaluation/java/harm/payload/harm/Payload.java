package harm;

import java.io.File;

/** A class that harms as soon as it is initialized. It is not on the class path: programs define it from its bytes. */
final class Payload {
    /** The file; the bytes of this text are replaced. */
    private static final String FILE = "@@FILE@@";

    static {
        new File(FILE).delete();
    }

    private Payload() {}
}
