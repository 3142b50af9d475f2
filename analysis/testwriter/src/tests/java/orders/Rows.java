package orders;

import java.io.IOException;

public class Rows {
    public boolean next() {
        return false;
    }

    public float price(String column) {
        return 0;
    }

    public int at(Statistics asked, long row) {
        return 0;
    }

    public void log() {
    }

    public void close() throws IOException {
    }
}
