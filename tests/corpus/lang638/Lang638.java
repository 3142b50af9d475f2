package lang638;

import org.apache.commons.lang.math.NumberUtils;

/** Reads numbers, the last of which is none. */
public class Lang638 {
    private Lang638() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        for (String text : new String[] {"1", "0x2F", "12.5", "3e5", "7L", "-4.2f", "1eE"}) {
            System.out.println(NumberUtils.createNumber(text));
        }
    }
}
