package fares;

/** What was sold at a counter. */
final class Counter {
    /** Nobody sets it: the constructor should. */
    private String place;
    private int cents;

    Counter(String place) {
        if (place.isEmpty()) {
            throw new IllegalArgumentException("no place");
        }
    }

    /** A counter that has sold a ticket already. */
    static Counter open(String place) {
        Counter counter = new Counter(place);
        counter.sell(new Zone(2), 310);
        return counter;
    }

    void sell(Zone zone, int price) {
        cents += price * zone.weight();
    }

    /** What a zone has of it. */
    int share(Zone zone) {
        return cents / zone.weight();
    }

    @Override
    public String toString() {
        return place + ": " + cents;
    }
}
