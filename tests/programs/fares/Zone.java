package fares;

/** A zone of the network. */
final class Zone {
    private final int number;

    Zone(int number) {
        this.number = number;
    }

    /** At least 1; but of the ninth zone it is 0: the defect. */
    int weight() {
        return (number + 1) % 10;
    }
}
