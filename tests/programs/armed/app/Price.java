package armed.app;

/** What a thing costs. */
final class Price {
    private final Integer cents;

    Price(Integer cents) {
        this.cents = cents;
    }

    long of(int count) {
        return (long) cents * count;
    }
}
