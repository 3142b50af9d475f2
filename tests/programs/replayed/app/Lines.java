package replayed.app;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;

/** Counts what it reads. */
class Lines extends BufferedReader {
    private int count;

    Lines(Reader in) {
        super(in);
    }

    @Override
    public String readLine() throws IOException {
        count++;
        return super.readLine();
    }

    int count() {
        return count;
    }
}
