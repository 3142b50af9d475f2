package offers.app;

/** Has others append to its texts, and appends to theirs. */
public class Offer {
    private final Quotes quotes;

    public Offer(Quotes quotes) {
        this.quotes = quotes;
    }

    public String text(String name, int count) {
        StringBuilder text = new StringBuilder("offer ");
        text.append(count);
        offers.lib.Names.add(text, name);
        text.append(':');
        quotes.quote(text, name + count);
        if (text.length() > 25) {
            throw new IllegalStateException(text.toString());
        }
        return text.toString();
    }

    /** Ends a text that is long, and one that is not, in another way. */
    public void end(Appendable text, int longest) throws java.io.IOException {
        text.append(((StringBuilder) text).length() > longest ? "!" : "?");
    }
}
