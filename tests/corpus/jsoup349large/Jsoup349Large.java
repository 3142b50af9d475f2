package jsoup349large;

import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;

/** Parses a large document that is cut off. */
public class Jsoup349Large {
    private Jsoup349Large() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        StringBuilder html = new StringBuilder("<html><body><table>\n");
        for (int row = 0; row < 4000; row++) {
            html.append("<tr class=row id=r").append(row).append("><td>").append(row).append("</td><td><b>cell</b> &amp; more</td>");
            html.append("<td><a href='page").append(row).append(".html'>link</a></td></tr>\n");
        }
        html.append("</table><script>//<![CDATA[\n//]]></script><p>end<![CDATA[ cut off ]]");
        Document document = Jsoup.parse(html.toString());
        System.out.println(document.select("td").size());
    }
}
