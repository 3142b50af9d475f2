package lang857;

import org.apache.commons.lang3.StringEscapeUtils;

/** Escapes the cells of a table. */
public class Lang857 {
    private Lang857() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        for (String cell : new String[] {"a,b", "plain", "he said \"no\"", "caf\u00e9", "\uD83D\uDE30"}) {
            System.out.println(StringEscapeUtils.escapeCsv(cell));
        }
    }
}
