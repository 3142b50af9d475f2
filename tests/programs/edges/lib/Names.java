package edges.lib;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;

/** The environment. */
public final class Names {
    private static final String FIRST = System.getProperty("java.version");

    private final String prefix;

    Names(String prefix) {
        this.prefix = prefix;
    }

    /** Always the same string. */
    public static String first() {
        return FIRST;
    }

    /** What it is given. */
    public static String same(String text) {
        return text;
    }

    /** Adds to a buffer that is not its own. */
    public static void addTo(StringBuffer buffer) {
        buffer.append(" with ").append(System.getProperty("java.version").isEmpty() ? "none" : "all");
    }

    /** The descriptions of all. */
    public static String joined(Object... all) {
        StringBuilder text = new StringBuilder();
        for (Object one : all) {
            text.append(((Described) one).describe()).append(", ");
        }
        return text.toString();
    }

    /** Something to be run, that does nothing which could be seen. */
    public static Runnable task() {
        return () -> Thread.yield();
    }

    /** A copy, by writing it and reading that. */
    public static Object copy(Object original) throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(original);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return in.readObject();
        }
    }

    /** A text to be read. */
    public static InputStream stream(String text) {
        return new InputStream() {
            private int at;

            @Override
            public int read() {
                return at < text.length() ? text.charAt(at++) : -1;
            }
        };
    }

    String name(Class<?> of) {
        return prefix + " " + of.getSimpleName();
    }
}
