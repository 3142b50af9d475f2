package jinsi.replay;

import java.util.List;

/**
 * The outgoing interactions of the incoming one that is being executed: where answers are searched for. The search only
 * goes forward, and each answer is used once.
 */
final class Context {
    /** What is being executed, in words. */
    final String name;
    /** The answers in recorded order. */
    final List<Outgoing> outgoing;
    private int next;

    Context(String name, List<Outgoing> outgoing) {
        this.name = name;
        this.outgoing = outgoing;
    }

    /** Index of the first answer that was neither used nor passed. */
    int next() {
        return next;
    }

    /** The next answer in sequence, or {@code null} at the end. */
    Outgoing peek() {
        return next < outgoing.size() ? outgoing.get(next) : null;
    }

    /** Uses the answer at {@code index}; those before it are passed. */
    Outgoing take(int index) {
        next = index + 1;
        return outgoing.get(index);
    }
}
