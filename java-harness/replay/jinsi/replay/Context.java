package jinsi.replay;

import java.util.BitSet;
import java.util.List;

/**
 * The outgoing interactions of the incoming one that is being executed: where answers are searched for. Each answer is used once. The
 * search only goes forward, but for code that may not be the recorded one.
 */
final class Context {
    /** What is being executed, in words. */
    final String name;
    /** The answers in recorded order. */
    final List<Outgoing> outgoing;
    private int next;
    private final BitSet used = new BitSet();
    /** The point of the replay that was passed last. */
    private Turn point = Turn.NONE;
    private int entries;
    private int pauses;
    private final boolean open;

    Context(String name, List<Outgoing> outgoing) {
        this(name, outgoing, false);
    }

    /** Of what had not ended when the recording did, if {@code open}. */
    Context(String name, List<Outgoing> outgoing, boolean open) {
        this.name = name;
        this.outgoing = outgoing;
        this.open = open;
    }

    /** Whether all that was recorded is used up, and the recording ended here. */
    boolean isBeyondTheRecording() {
        return open && next == outgoing.size();
    }

    /** Index of the first answer that was neither used nor passed. */
    int next() {
        return next;
    }

    /** The next answer in sequence, or {@code null} at the end. */
    Outgoing peek() {
        return next < outgoing.size() ? outgoing.get(next) : null;
    }

    /** A point has been passed. */
    void pass(Turn turn) {
        point = turn;
        entries = 0;
        pauses = 0;
    }

    /** A method of observed code begins: when it may go on, or -1 if there is nothing to wait for. */
    long enter() {
        if (pauses == point.pauses() || ++entries < point.entries(pauses)) {
            return -1;
        }
        return point.turn(pauses++);
    }

    /** Where answers are looked for: from this index on. */
    int begin(Mode mode) {
        return mode == Mode.TODAY ? used.nextClearBit(0) : next;
    }

    /** Before this index. */
    int end(Mode mode) {
        boolean further = mode == Mode.RESYNCHRONIZING || mode == Mode.TODAY;
        return further ? outgoing.size() : Math.min(next + 1, outgoing.size());
    }

    /** Whether the answer at {@code index} has been used. */
    boolean isUsed(int index) {
        return used.get(index);
    }

    /** Uses the answer at {@code index}; those before it are passed. */
    Outgoing take(int index) {
        used.set(index);
        next = Math.max(next, index + 1);
        return outgoing.get(index);
    }
}
