package jsoup814;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/** Looks for classes. */
public class Jsoup814 {
    private Jsoup814() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        Document document = Jsoup.parse("<table Class='Lst'><tr class='odd Row'><td>One</td></tr></table>");
        assertEquals("One", document.select("td").text());
        assertTrue(document.select("tr").first().hasClass("odd"));
        Element table = document.select("table").first();
        assertTrue(table.hasAttr("class"));
        assertTrue(table.hasClass("Lst"));
    }
}
