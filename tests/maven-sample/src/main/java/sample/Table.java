package sample;

import org.apache.commons.lang.text.StrBuilder;

/** A table of texts in columns, made with a library that has known defects (LANG-294, LANG-299, LANG-412). */
public final class Table {
    private final StrBuilder text = new StrBuilder();

    /** Adds a row of two cells. */
    public Table row(String name, String value) {
        text.append("| ").appendFixedWidthPadRight(name, 8, '.');
        text.append(" | ").appendFixedWidthPadLeft(value, 6, ' ');
        text.append(" |").appendNewLine();
        return this;
    }

    /** Takes a text out wherever it stands. */
    public Table without(String part) {
        text.deleteAll(part);
        return this;
    }

    /** The name, as wide as the column. */
    public static String column(String name, int width) {
        return new StrBuilder(width).appendFixedWidthPadRight(name, width, '-').toString();
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
