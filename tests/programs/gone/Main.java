package gone;

import rates.Rates;

/** Does without two classes that are not there. */
public final class Main {
    private Main() {
    }

    public static void main(String[] args) {
        int price = price();
        System.out.println(price);
        System.out.println(12 / (price - rate()));
    }

    private static int price() {
        try {
            return new Extra().price();
        } catch (LinkageError absent) {
            return 7;
        }
    }

    private static int rate() {
        try {
            return Rates.of("FR");
        } catch (LinkageError absent) {
            return 7;
        }
    }
}
