package jsoup1015;

import org.jsoup.Jsoup;
import org.jsoup.parser.Parser;

/** Parses XML documents. */
public class Jsoup1015 {
    private Jsoup1015() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        String[] documents = {"<?xml version='1.0'?><val>One</val>", "<a b='c'><!-- x --></a>", "<?xml version='1.0'><val>One</val>"};
        for (String xml : documents) {
            System.out.println(Jsoup.parse(xml, "", Parser.xmlParser()).outerHtml());
        }
    }
}
