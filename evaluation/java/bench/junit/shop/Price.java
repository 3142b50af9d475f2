package shop;

/** An amount of money in cents. */
final class Price {
    private final long cents;

    Price(long cents) {
        if (cents < 0) {
            throw new IllegalArgumentException("a price below zero: " + cents);
        }
        this.cents = cents;
    }

    Price plus(Price other) {
        return new Price(cents + other.cents);
    }

    Price times(int pieces) {
        return new Price(cents * pieces);
    }

    @Override
    public String toString() {
        return cents / 100 + "." + (cents % 100 < 10 ? "0" : "") + cents % 100;
    }
}
