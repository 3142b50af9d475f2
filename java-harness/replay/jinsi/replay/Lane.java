package jinsi.replay;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Semaphore;

/** A thread of a test, and what it is executing. */
final class Lane {
    /** The thread that replays it. */
    final Thread thread;
    /** What is being executed, innermost first; at the bottom what happens outside of everything. */
    final Deque<Context> contexts = new ArrayDeque<>();
    /** Whom {@link Turns} lets go on finds a permit here. */
    final Semaphore permit = new Semaphore(0);

    Lane(Thread thread) {
        this.thread = thread;
        contexts.push(new Context("no interaction", List.of()));
    }
}
