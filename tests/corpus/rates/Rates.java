package rates;

import java.util.HashMap;
import java.util.Map;

/** Prices of an invoice in several currencies, whose rates come from a table. The table is wrong, and the invoice fails. */
public class Rates {
    private Rates() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        Table table = new Table();
        table.read("CHF=93");
        table.read("USD=0.92");
        table.read("GBP=117");
        Invoice invoice = new Invoice(table);
        invoice.add(500);
        invoice.add(1250);
        System.out.println(invoice.in("EUR") + " " + invoice.in("CHF"));
        System.out.println(invoice.in("USD"));
    }

    /** Cents of the home currency for a unit of another. */
    static class Table {
        private final Map<String, Integer> cents = new HashMap<>();

        /** {@code CODE=CENTS}. */
        void read(String line) {
            String[] parts = line.split("=");
            cents.put(parts[0], (int) Double.parseDouble(parts[1]));
        }

        int of(String currency) {
            return cents.getOrDefault(currency, 100);
        }
    }

    /** A sum of prices. */
    static class Invoice {
        private final Table table;
        private int sum;

        Invoice(Table table) {
            this.table = table;
        }

        void add(int price) {
            sum += price;
        }

        int in(String currency) {
            return sum * 100 / table.of(currency);
        }
    }
}
