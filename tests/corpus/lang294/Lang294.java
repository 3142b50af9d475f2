package lang294;

import org.apache.commons.lang.text.StrBuilder;

/** Edits a text in place. */
public class Lang294 {
    private Lang294() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        StrBuilder text = new StrBuilder("\n%BLOCK%\nDo more stuff\neven more stuff\n%BLOCK%\n");
        text.replaceAll("stuff", "work").deleteFirst("Do ");
        System.out.println(text.indexOf("work") + " " + text.length());
        text.deleteAll("\n%BLOCK%");
        System.out.println(text);
    }
}
