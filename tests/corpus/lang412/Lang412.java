package lang412;

import org.apache.commons.lang.text.StrBuilder;

/** Writes a table one of whose values is null. */
public class Lang412 {
    private Lang412() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        StrBuilder table = new StrBuilder();
        String[][] rows = {{"name", "value"}, {"one", "1"}, {"two", "22"}, {"three", null}, {"four", "4"}};
        for (String[] row : rows) {
            table.append("| ").appendFixedWidthPadRight(row[0], 8, '.');
            table.append(" | ").appendFixedWidthPadLeft(row[1], 6, ' ');
            table.append(" |").appendNewLine();
        }
        System.out.println(table);
    }
}
