package mill;

/** Grinds what it is given, which takes some milliseconds a load, and jams on two of the loads together. */
class Mill {
    /** Steps of grinding a load. */
    private static final int STEPS = 1_000_000;

    private int flour;
    private boolean stony;
    private boolean wet;

    void load(int grain) {
        int ground = grain;
        for (int i = 0; i < STEPS; i++) {
            ground = ground * 31 + i;
        }
        flour += ground & 1;
        stony |= grain == 11;
        wet |= grain == 31;
    }

    int empty() {
        if (stony && wet) {
            throw new IllegalStateException("jammed");
        }
        return flour;
    }
}
