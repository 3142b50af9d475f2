package jinsi.replay;

/** A class of the session, already rewritten for replay. */
final class ClassEntry {
    /** Binary name. */
    final String name;
    /** Whether its methods only ask; otherwise it is observed code. */
    final boolean environment;
    /** The class file. Never changed. */
    final byte[] bytes;

    ClassEntry(String name, boolean environment, byte[] bytes) {
        this.name = name;
        this.environment = environment;
        this.bytes = bytes;
    }
}
