package harbour;

/** Where ships lie. There is one berth, for the whole harbour, and a crane waits there. */
public final class Berths {
    private static String ship;

    private Berths() {}

    public static void moor(String name) {
        if (ship != null) {
            throw new IllegalStateException("no berth for " + name);
        }
        ship = name;
        new Crane(10).lift(1);
    }
}
