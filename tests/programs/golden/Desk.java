package golden;

import golden.Situations.Visitor;

/** Gets into each situation in which a replay of some of its interactions cannot go on. */
class Desk {
    private Visitor visitor;
    private Desk neighbour;
    private String name;
    private int limit;
    private int step;
    private boolean formal;

    void greet(Visitor next) {
        visitor = next;
    }

    int ask() {
        return visitor.value();
    }

    void sitBy(Desk other) {
        neighbour = other;
    }

    boolean hasNeighbour() {
        return neighbour != null;
    }

    void limit(int next) {
        limit = next;
    }

    int askAll() {
        int sum = 0;
        for (int i = 0; i < limit; i++) {
            sum += visitor.next();
        }
        return sum;
    }

    void formal() {
        formal = true;
    }

    String address() {
        return formal ? visitor.title() : visitor.name();
    }

    void name(String next) {
        name = next;
    }

    int nameLength() {
        return name.length();
    }

    void step(int next) {
        step = next;
    }

    int count(int to) {
        int steps = 0;
        for (int at = 0; at < to; at += step) {
            steps++;
        }
        return steps;
    }

    /** The failure. */
    void close() {
        throw new IllegalStateException(ask() + " " + askAll() + " " + address() + " " + nameLength() + " " + count(6) + " "
                + hasNeighbour());
    }
}
