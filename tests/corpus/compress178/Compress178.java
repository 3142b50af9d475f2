package compress178;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;

/** Writes an archive of two entries, damages the second, and reads it. */
public class Compress178 {
    private Compress178() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        TarArchiveOutputStream out = new TarArchiveOutputStream(bytes);
        for (String name : new String[] {"one", "two"}) {
            TarArchiveEntry entry = new TarArchiveEntry(name);
            entry.setSize(name.length());
            entry.setModTime(0);
            out.putArchiveEntry(entry);
            out.write(name.getBytes("US-ASCII"));
            out.closeArchiveEntry();
        }
        out.close();
        byte[] archive = bytes.toByteArray();
        archive[1024 + 100] = 'x';
        TarArchiveInputStream in = new TarArchiveInputStream(new ByteArrayInputStream(archive));
        for (TarArchiveEntry entry = in.getNextTarEntry(); entry != null; entry = in.getNextTarEntry()) {
            System.out.println(entry.getName() + " " + entry.getSize());
        }
    }
}
