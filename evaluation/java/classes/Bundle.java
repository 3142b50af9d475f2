package classes;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Files of classes: each a place (which group of classes it belongs to), a name and the bytes of the class file, every one with its
 * length before it, in four bytes. Texts are UTF-8.
 */
final class Bundle {
    /** One class. The bytes are not those of a file that changes. */
    record Entry(String place, String name, byte[] bytes) {}

    private Bundle() {}

    static List<Entry> read(Path file) throws IOException {
        List<Entry> entries = new ArrayList<>();
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16))) {
            while (true) {
                int length;
                try {
                    length = in.readInt();
                } catch (EOFException end) {
                    return entries;
                }
                String place = text(in.readNBytes(length));
                String name = text(in.readNBytes(in.readInt()));
                entries.add(new Entry(place, name, in.readNBytes(in.readInt())));
            }
        }
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Writes such a file. */
    static final class Writer implements Closeable {
        private final DataOutputStream out;

        Writer(Path file) throws IOException {
            out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), 1 << 16));
        }

        void add(String place, String name, byte[] bytes) throws IOException {
            item(place.getBytes(StandardCharsets.UTF_8));
            item(name.getBytes(StandardCharsets.UTF_8));
            item(bytes);
        }

        private void item(byte[] bytes) throws IOException {
            out.writeInt(bytes.length);
            out.write(bytes);
        }

        @Override
        public void close() throws IOException {
            out.close();
        }
    }
}
