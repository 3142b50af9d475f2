package mill;

/** Grinds what it is given, which takes some ten milliseconds a load, and jams on two of the loads together. */
class Mill {
    /** Steps of grinding a load. */
    private static final int STEPS = 1_000_000;

    private long flour;
    private boolean stony;
    private boolean wet;

    void load(int grain) {
        long ground = grain;
        for (int i = 0; i < STEPS; i++) {
            ground = (ground * 48_271 + i) % 2_147_483_647L;
            ground = (ground * 69_621 + i) % 2_147_483_629L;
        }
        flour += ground & 1;
        stony |= grain == 11;
        wet |= grain == 31;
    }

    long empty() {
        if (stony && wet) {
            throw new IllegalStateException("jammed");
        }
        return flour;
    }
}
