package lang457large;

import org.apache.commons.lang.math.NumberUtils;

/** Adds a million numbers, the last of which has no digits. */
public class Lang457Large {
    private Lang457Large() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        long sum = 0;
        for (int line = 0; line < LINES; line++) {
            String text = text(line);
            int number = NumberUtils.toInt(text, -1);
            sum += number >= 0 ? number : NumberUtils.createNumber(text).longValue();
        }
        System.out.println(sum);
    }

    private static final int LINES = 1_000_000;

    /** A line of what is read. */
    private static String text(int line) {
        return line == LINES - 1 ? "l" : Integer.toString(line % 1000);
    }
}
