package harbour;

/** The water of a harbour, by the minute. */
class Tide {
    private static final int PERIOD = 745;
    private final long watchedSince = System.nanoTime();

    /** For how long it was watched, in nanoseconds. */
    long watchedFor() {
        return System.nanoTime() - watchedSince;
    }

    /** Whether it rises. */
    boolean rises(int minute) {
        return minute % PERIOD < PERIOD / 2;
    }

    /** When it turns next. The second half is taken for as long as a whole. */
    int turnsAfter(int minute) {
        int begin = minute - minute % PERIOD;
        return rises(minute) ? begin + PERIOD / 2 : begin + PERIOD + PERIOD / 2;
    }
}
