package tariff;

/** A sum in cents, which can be given in another currency. */
final class Bill {
    private final int sum;

    Bill(int sum) {
        this.sum = sum;
    }

    int in(String currency) {
        return sum * 100 / Tariff.of(currency);
    }
}
