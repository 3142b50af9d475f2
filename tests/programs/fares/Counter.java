package fares;

/** What was sold at a counter. */
final class Counter {
    private int cents;

    void sell(Zone zone, int price) {
        cents += price * zone.weight();
    }

    /** What a zone has of it. */
    int share(Zone zone) {
        return cents / zone.weight();
    }
}
