package page;

import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/** Reads a page that was written in haste, asks it some questions, and one too many. */
public final class Main {
    private static final String PAGE = "<title>Stock &amp; more</title><p class=intro>Hello <b>there<p>"
            + "<table id=t><tr><td>nails<td>3<tr><td>screws<td>none</table><a href='/next?x=1&y=2'>next</a>";

    private Main() {
    }

    /** Ends by a NumberFormatException. */
    public static void main(String[] args) {
        Document page = Jsoup.parse(PAGE, "http://example.org/");
        System.out.println(page.title() + " " + page.select("a[href]").attr("abs:href"));
        page.selectFirst("p.intro").append("<i>!</i>").attr("lang", "en");
        System.out.println(page.body().children().size());
        int sum = 0;
        for (Element row : page.select("#t tr")) {
            sum += Integer.parseInt(row.child(1).text());
        }
        System.out.println(sum);
    }
}
