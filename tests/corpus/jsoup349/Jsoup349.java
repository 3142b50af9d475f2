package jsoup349;

import org.jsoup.Jsoup;

/** Parses documents, at last one that is cut off. */
public class Jsoup349 {
    private Jsoup349() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        for (String html : new String[] {"<p>1<![CDATA[ two ]]></p>", "<p>One<![CDATA[ end ", "<p>One<![CDATA[ end ]]"}) {
            System.out.println(Jsoup.parse(html).body().html());
        }
    }
}
