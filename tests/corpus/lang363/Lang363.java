package lang363;

import static org.junit.Assert.assertEquals;

import org.apache.commons.lang.StringEscapeUtils;

/** Escapes texts for a page. */
public class Lang363 {
    private Lang363() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        assertEquals("&lt;b&gt;", StringEscapeUtils.escapeHtml("<b>"));
        assertEquals("He didn\\'t", StringEscapeUtils.escapeJavaScript("He didn't"));
        assertEquals("a\\tb", StringEscapeUtils.escapeJava("a\tb"));
        assertEquals("<\\/script>", StringEscapeUtils.escapeJavaScript("</script>"));
    }
}
