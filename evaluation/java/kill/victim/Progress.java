package victim;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Numbers in a mapped file, little-endian, which survive the process: how many steps each thread has behind it. A number is stored
 * after all that came before it in its thread.
 */
final class Progress {
    private static final VarHandle LONGS =
        MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private final MappedByteBuffer file;

    /** The file is made with as many numbers, all 0. */
    Progress(Path path, int numbers) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            file = channel.map(FileChannel.MapMode.READ_WRITE, 0, 8L * numbers);
        }
    }

    void set(int index, long number) {
        LONGS.setRelease((ByteBuffer) file, 8 * index, number);
    }
}
