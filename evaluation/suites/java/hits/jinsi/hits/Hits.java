package jinsi.hits;

/** Which places of the library ran, by their numbers. On the boot class path, so that every loader of the tests finds it. */
public final class Hits {
    private static final boolean[] SEEN = new boolean[Integer.getInteger("jinsi.suites.places", 0)];

    private Hits() {}

    /** The place ran. */
    public static void hit(int place) {
        SEEN[place] = true;
    }

    /** The places that ran since the last call, joined by blanks. */
    public static String take() {
        StringBuilder seen = new StringBuilder();
        for (int place = 0; place < SEEN.length; place++) {
            if (SEEN[place]) {
                SEEN[place] = false;
                seen.append(seen.length() == 0 ? "" : " ").append(place);
            }
        }
        return seen.toString();
    }
}
