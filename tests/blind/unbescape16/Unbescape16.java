package unbescape16;

import static org.junit.Assert.assertEquals;

import org.unbescape.html.HtmlEscape;

/** Unescapes texts of HTML. */
public class Unbescape16 {
    private Unbescape16() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        assertEquals("\u00e1 < b", HtmlEscape.unescapeHtml("&aacute; &lt; b"));
        assertEquals("\u00a0", HtmlEscape.unescapeHtml("&nbsp;"));
        assertEquals("white\u00a0space", HtmlEscape.unescapeHtml("white&nbspspace"));
    }
}
