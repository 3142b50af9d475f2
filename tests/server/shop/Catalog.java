package shop;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** Articles, their prices, and what the best customers of late have spent. There is one for all requests. */
final class Catalog {
    /** Customers that are remembered. */
    private static final int REMEMBERED = 64;

    private final Map<String, Double> prices = new HashMap<>();
    private final Map<String, Account> accounts = new LinkedHashMap<>();
    private long sold;

    Catalog() {
        String[] articles = {"apple", "pear", "plum", "cherry", "quince", "medlar", "grape", "fig"};
        for (int i = 0; i < articles.length; i++) {
            prices.put(articles[i], 0.25 * (i + 1));
        }
    }

    /** Sells what is ordered. */
    Receipt sell(Order order) {
        Receipt receipt = new Receipt(order.customer);
        for (Order.Line line : order.lines) {
            receipt.add(line, prices.getOrDefault(line.article, 1.0));
        }
        book(order.customer, receipt);
        return receipt;
    }

    private synchronized void book(String customer, Receipt receipt) {
        Account account = accounts.remove(customer);
        if (account == null) {
            account = new Account();
        }
        account.add(receipt.total());
        accounts.put(customer, account);
        if (accounts.size() > REMEMBERED) {
            accounts.remove(accounts.keySet().iterator().next());
        }
        receipt.number(++sold, account.spent());
    }
}
