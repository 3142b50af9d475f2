package jinsi.replay;

import java.util.Arrays;

/**
 * Where a thread of a session waits for others in the midst of observed code: at the so many-th time that it enters a monitor, accesses a
 * volatile field, or calls what threads may share. The numbers count from the thread's beginning. So that they mean
 * the same in a test that leaves interactions out, the test of all notes how far the thread was at each point of the replay.
 */
final class Meetings {
    /** A thread that waits nowhere. */
    static final Meetings NONE = new Meetings(new int[0], new long[0]);

    private final int[] numbers;
    private final long[] turns;
    private long[] points = new long[16];
    private int[] counts = new int[16];
    private int known;

    /**
     * @param numbers at which of its meetings the thread waits, ascending
     * @param turns when it may go on there
     */
    Meetings(int[] numbers, long[] turns) {
        this.numbers = numbers;
        this.turns = turns;
    }

    /** When the thread may go on at its meeting {@code number}, or -1 if there is nothing to wait for. */
    long turn(int number) {
        int at = Arrays.binarySearch(numbers, number);
        return at < 0 ? -1 : turns[at];
    }

    /** What the test of all interactions notes is thrown away. */
    void forget() {
        known = 0;
    }

    /** At the point {@code point}, which is behind all points noted before, the thread has had {@code count} meetings. */
    void note(long point, int count) {
        if (numbers.length == 0 || known != 0 && points[known - 1] >= point) {
            return;
        }
        if (known == points.length) {
            points = Arrays.copyOf(points, 2 * known);
            counts = Arrays.copyOf(counts, 2 * known);
        }
        points[known] = point;
        counts[known] = count;
        known++;
    }

    /** How many meetings the thread had had at {@code point}; {@code otherwise} if that is not known. */
    int before(long point, int otherwise) {
        int at = Arrays.binarySearch(points, 0, known, point);
        return at < 0 ? otherwise : counts[at];
    }
}
