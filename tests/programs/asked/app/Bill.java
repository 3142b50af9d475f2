package asked.app;

import asked.out.Tariff;
import asked.out.Tariffs;

/** What a customer has to pay. It forgets that a tariff need not know a customer's name. */
public class Bill {
    private final Tariff tariff = Tariffs.of("day");

    /** The sum for so many units, and one more for each letter of the name. */
    public int due(String customer, int units) {
        String name = tariff.nameOf(customer);
        return units * tariff.price() + name.length();
    }
}
