package jinsi.replay;

import java.nio.charset.StandardCharsets;

/** A class of the session, already rewritten for replay. */
final class ClassEntry {
    /** Binary name. */
    final String name;
    /** Whether its methods only ask; otherwise it is observed code. */
    final boolean environment;
    /** Whether it is an empty class, to be used only if the JDK has none of this name. */
    final boolean placeholder;
    /** The class file. Never changed. */
    final byte[] bytes;

    ClassEntry(String name, boolean environment, boolean placeholder, byte[] bytes) {
        this.name = name;
        this.environment = environment;
        this.placeholder = placeholder;
        this.bytes = bytes;
    }

    /** Whether the class may have an initializer: a name like that stands in its file. */
    boolean hasInitializer() {
        return new String(bytes, StandardCharsets.ISO_8859_1).contains("<clinit>");
    }
}
