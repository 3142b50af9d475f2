package traded;

import java.util.HashMap;
import java.util.Map;

/** What a currency is worth. Of those that are not traded it is not read. */
final class Tariff {
    private static final Map<String, Integer> CENTS = new HashMap<>();

    private Tariff() {
    }

    static void read(String currency, int units, boolean traded) {
        int cents = 0;
        if (traded) {
            cents = units * 100;
        }
        CENTS.put(currency, cents);
    }

    static int of(String currency) {
        return CENTS.getOrDefault(currency, 100);
    }
}
