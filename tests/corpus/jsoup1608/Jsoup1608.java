package jsoup1608;

import org.jsoup.Jsoup;

/** Parses documents, at last one with nested anchors. */
public class Jsoup1608 {
    private Jsoup1608() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        for (String html : new String[] {"<a>one<b>two</b></a>", "<b>1<i>2</b>3</i>", "<a><b><div><a>test</a></div></b></a>"}) {
            System.out.println(Jsoup.parse(html).body().html());
        }
    }
}
