package golden;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.util.Arrays;

/** Burger 2011, Listing 8.8: an array that comes from outside, or from inside, and is filled by either. */
class Bytes {
    private byte[] values;
    private int index;

    void setValues(byte[] given) {
        values = given;
    }

    void init(byte a, byte b) {
        values = new byte[] {a, b};
    }

    void transform() {
        for (int i = 0; i < values.length; i++) {
            values[i] += 1;
        }
    }

    int addValue(byte b) {
        if (index < values.length) {
            values[index] = b;
            index++;
        }
        return index;
    }

    void readValues(File file) throws IOException {
        try (FileInputStream in = new FileInputStream(file)) {
            in.read(values);
        }
    }

    /** Fails with what the array holds. */
    void show() {
        throw new IllegalStateException(Arrays.toString(values));
    }
}
