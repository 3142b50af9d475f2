package armed.app;

/** Who buys. */
final class Customer {
    private final String name;
    private final int percent;
    private long bought;

    Customer(String name, int percent) {
        this.name = name;
        this.percent = percent;
    }

    void bought(long sum) {
        bought += sum;
    }

    long rebate(long sum) {
        return sum - sum * percent / 100;
    }

    @Override
    public String toString() {
        return name + " bought for " + bought;
    }
}
