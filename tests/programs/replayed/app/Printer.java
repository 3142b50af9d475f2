package replayed.app;

import java.io.StringWriter;

/** Writes to the writer of another, in turn with what it asks. */
class Printer {
    private final StringWriter out;

    Printer(StringWriter out) {
        this.out = out;
    }

    void print(String line, Lines lines) {
        out.write('[');
        out.append(String.valueOf(lines.count())).write(line);
        out.write(']');
    }
}
