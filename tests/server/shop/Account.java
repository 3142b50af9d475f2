package shop;

/** What a customer has spent. */
final class Account {
    private double spent;

    void add(double amount) {
        spent += amount;
    }

    double spent() {
        return spent;
    }
}
