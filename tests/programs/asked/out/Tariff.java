package asked.out;

/** A tariff, of which only the file knows more. It is not observed. */
public class Tariff {
    private final int price;

    Tariff(int price) {
        this.price = price;
    }

    /** The customer's name; {@code null} if it is not known. */
    public String nameOf(String customer) {
        return customer.equals("known") ? "Ann" : null;
    }

    /** What a unit costs. */
    public int price() {
        return price;
    }

    /** What a customer without a name pays in addition. */
    public int fee() {
        return 5;
    }
}
