package wrapped;

/** Makes amounts of texts. */
public class Parser {
    /** An amount. */
    static final class Amount {
        final int cents;

        Amount(int cents) {
            this.cents = cents;
        }
    }

    /** Where nothing was written. */
    static final class Nothing {
    }

    /** The cents that a text stands for. */
    public int cents(String text) {
        return ((Amount) read(text)).cents;
    }

    private Object read(String text) {
        return text.isEmpty() ? new Nothing() : new Amount(Integer.parseInt(text));
    }
}
