package jinsi.replay;

/**
 * When a thread of several may go on from a point of the replay: the beginning of an incoming interaction, or the return of an
 * outgoing one. Before the next point it may have to pause at the beginnings of methods.
 */
final class Turn {
    /** There is but one thread. */
    static final Turn NONE = new Turn(0, new int[0], new long[0]);

    /** When it may go on from the point itself. */
    final long first;
    private final int[] entries;
    private final long[] turns;

    /**
     * @param entries how many methods have begun since the point where a pause is, ascending
     * @param turns when the thread may go on there
     */
    Turn(long first, int[] entries, long[] turns) {
        this.first = first;
        this.entries = entries;
        this.turns = turns;
    }

    /** How many pauses there are. */
    int pauses() {
        return turns.length;
    }

    /** How many methods have begun where pause {@code i} is. */
    int entries(int i) {
        return entries[i];
    }

    /** When the thread may go on there. */
    long turn(int i) {
        return turns[i];
    }
}
