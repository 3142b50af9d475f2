package lang457;

import org.apache.commons.lang.math.NumberUtils;

/** Reads numbers, the last of which has no digits. */
public class Lang457 {
    private Lang457() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        for (String text : new String[] {"1", "0x2F", "12.5", "3e5", "7L", "-4.2f", "l"}) {
            System.out.println(NumberUtils.createNumber(text));
        }
    }
}
