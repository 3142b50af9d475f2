package harbour;

/**
 * A crane that does not see how full it is. It counts the turns of its motor until the hook is down, and signals as often as the last ones say. Another
 * thread lets the hook down, so no replay counts the same: a recording of the boundary alone cannot be computed again.
 */
public final class Crane {
    /** The property that is asked for with each signal. */
    private static final String SIGNAL = "harbour.signal";
    private static final int MOST_TURNS = 50_000_000;
    private static final int SIGNALS = 1_023;

    private final int most;
    private int load;
    private volatile boolean down;

    public Crane(int most) {
        this.most = most;
    }

    public void lift(int tons) {
        new Thread(() -> down = true, "hook").start();
        int turns = 0;
        while (!down && turns < MOST_TURNS) {
            turns++;
        }
        for (int left = turns & SIGNALS; left > 0; left--) {
            System.getProperty(SIGNAL);
        }
        load += tons;
    }

    /** How often a cargo is moved. The defect: a full crane moves nothing. */
    public int moves(int cargo) {
        return cargo / (most - load);
    }
}
