package jsoup184;

import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/** Prints the siblings of an element and of all that it lies in. */
public class Jsoup184 {
    private Jsoup184() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        Document document = Jsoup.parse("<div id=1><p>One</p><p>Two <b>three</b></p></div>");
        for (Element element = document.select("b").first(); element != null; element = element.parent()) {
            System.out.println(element.tagName() + " " + element.nextElementSibling());
        }
    }
}
