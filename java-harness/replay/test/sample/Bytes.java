package sample;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.util.List;
import jinsi.replay.Replay;

/** Works on an array and a list (Burger 2011, Listing 8.8); bridges as rewriting would put in. */
final class Bytes {
    private byte[] values;
    private int index;

    Bytes() {
    }

    void setValues(byte[] values) {
        this.values = values;
    }

    void init(byte a, byte b) {
        values = new byte[] {a, b};
    }

    int addValue(byte b) {
        if (index < values.length) {
            values[index] = b;
            index++;
        }
        return index;
    }

    void readValues(File file) throws IOException {
        jinsi$1(jinsi$0(file), values);
    }

    void transform() {
        for (int i = 0; i < values.length; i++) {
            values[i] += 1;
        }
    }

    /** Fails with what the array holds, so that tests see what was computed. */
    void check() {
        throw new IllegalStateException(values[0] + "," + values[1]);
    }

    int total(List<Integer> numbers) {
        int total = 0;
        for (int n : numbers) {
            total += n;
        }
        return total;
    }

    private static FileInputStream jinsi$0(File file) {
        return (FileInputStream) Replay.call(0, null, new Object[] {file});
    }

    private static int jinsi$1(FileInputStream in, byte[] into) throws IOException {
        return Replay.isMock(in) ? (Integer) Replay.call(1, in, new Object[] {into}) : in.read(into);
    }
}
