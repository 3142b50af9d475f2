package jinsi.replay;

import java.util.zip.CRC32;

/** How a recorded class took part in the run that a written test was made of. */
final class Part {
    /** What is taken for the part of a class that the recorded run never loaded: it runs as observed ones do. */
    static final Part OF_NEW = new Part(Codes.PART_OBSERVED, 0, -1, 0);

    /** One of the parts of {@link Codes}. */
    final int role;
    /** Of {@link Codes}: what else is known. */
    final int flags;
    private final int length;
    private final int checksum;

    Part(int role, int flags, int length, int checksum) {
        this.role = role;
        this.flags = flags;
        this.length = length;
        this.checksum = checksum;
    }

    /** Whether this is the class file that was recorded. */
    boolean isOf(byte[] bytes) {
        if (bytes.length != length) {
            return false;
        }
        CRC32 sum = new CRC32();
        sum.update(bytes);
        return (int) sum.getValue() == checksum;
    }
}
