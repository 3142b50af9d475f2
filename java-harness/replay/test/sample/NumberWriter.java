package sample;

import java.io.FileWriter;
import java.io.IOException;
import java.io.PrintStream;
import jinsi.replay.Replay;

/** Writes numbers to a file (Burger 2011, Listing 4.1), with the bridges that rewriting would put in, as Java source. */
final class NumberWriter {
    private String file = null;
    private int numbers = 0;

    NumberWriter() {
    }

    void setFile(String file) {
        this.file = file;
    }

    void setNumbers(int numbers) {
        this.numbers = numbers;
    }

    void writeNumbers() throws IOException {
        if (file == null) {
            jinsi$1(jinsi$0(), "Output has not been set.");
            return;
        }
        FileWriter writer = jinsi$2(file);
        int n = 1;
        while (n <= numbers) {
            jinsi$3(writer, n);
            n++;
            Replay.backEdge();
        }
        jinsi$4(writer);
    }

    private static PrintStream jinsi$0() {
        return (PrintStream) Replay.get(0, null);
    }

    private static void jinsi$1(PrintStream stream, String text) {
        if (Replay.isMock(stream)) {
            Replay.call(1, stream, new Object[] {text});
        } else {
            stream.println(text);
        }
    }

    private static FileWriter jinsi$2(String name) {
        return (FileWriter) Replay.call(2, null, new Object[] {name});
    }

    private static void jinsi$3(FileWriter writer, int n) throws IOException {
        if (Replay.isMock(writer)) {
            Replay.call(3, writer, new Object[] {n});
        } else {
            writer.write(n);
        }
    }

    private static void jinsi$4(FileWriter writer) throws IOException {
        if (Replay.isMock(writer)) {
            Replay.call(4, writer, new Object[0]);
        } else {
            writer.close();
        }
    }
}
