package tariff;

import java.util.HashMap;
import java.util.Map;

/** What a currency is worth, for the whole program: a static table, which should have cents and has units. */
final class Tariff {
    private static final Map<String, Integer> CENTS = new HashMap<>();

    private Tariff() {
    }

    /** Takes a line, {@code USD=0.92}. */
    static void read(String line) {
        int at = line.indexOf('=');
        CENTS.put(line.substring(0, at), (int) Double.parseDouble(line.substring(at + 1)));
    }

    static int of(String currency) {
        return CENTS.getOrDefault(currency, 100);
    }
}
