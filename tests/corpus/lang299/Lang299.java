package lang299;

import org.apache.commons.lang.text.StrBuilder;

/** Pads words to columns, the last of which is too narrow. */
public class Lang299 {
    private Lang299() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        StrBuilder line = new StrBuilder(4);
        for (String word : new String[] {"a", "bc", "def"}) {
            line.clear().appendFixedWidthPadRight(word, 4, '-');
            System.out.println(line.reverse().toString());
        }
        StrBuilder narrow = new StrBuilder(1);
        System.out.println(narrow.appendFixedWidthPadRight("foo", 1, '-'));
    }
}
