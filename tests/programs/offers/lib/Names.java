package offers.lib;

import java.io.IOException;
import offers.app.Offer;
import offers.app.Quotes;

/** Appends to builders of others. */
public final class Names implements Quotes {
    private Names() {}

    public static void main(String[] args) throws IOException {
        Offer offer = new Offer(new Names());
        StringBuilder given = new StringBuilder("abc");
        StringBuilder large = new StringBuilder("-".repeat(5000));
        for (int n = 0; n < 3; n++) {
            offer.end(given, 4);
            offer.end(large, 5001);
            large.append(n);
        }
        System.out.println(given + large.substring(5000) + offer.text("lamp", 1));
        offer.text("large lamp", 1);
    }

    public static void add(Appendable text, String name) {
        try {
            text.append(' ').append(name);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void quote(StringBuilder text, String name) {
        text.append('"').append(name).append('"');
    }
}
