package armed.app;

import java.util.HashMap;
import java.util.Map;

/**
 * What is recorded, if anything is: an order of a gift fails, because nobody has given gifts a price when the shop was opened. That was before anything
 * was recorded; so what the shop holds has to be reported when the recorded order begins. One call is needed of the orders that are recorded.
 */
public final class Shop {
    private static int orders;

    private final Map<String, Price> prices = new HashMap<>();
    private final Map<String, Customer> customers = new HashMap<>();

    /** Opens. */
    public Shop() {
        prices.put("tea", new Price(350));
        prices.put("salt", new Price(80));
        prices.put("gift", new Price(null));
        customers.put("ann", new Customer("ann", 10));
        customers.put("bob", new Customer("bob", 0));
    }

    /** What the customer has to pay. */
    public long order(String name, String item, int count) {
        Customer customer = customers.get(name);
        long sum = prices.get(item).of(count);
        synchronized (this) {
            orders++;
            customer.bought(sum);
        }
        return customer.rebate(sum);
    }

    /** Who was a customer is none. */
    public void lose(String name) {
        customers.remove(name);
    }
}
