package endless;

/** What somebody wants. */
final class Order {
    private final String tariff;
    private final String name;
    private final int count;

    Order(String tariff, String name, int count) {
        this.tariff = tariff;
        this.name = name;
        this.count = count;
    }

    String tariff() {
        return tariff;
    }

    String name() {
        return name;
    }

    int count() {
        return count;
    }
}
