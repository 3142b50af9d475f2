package crews;

import java.util.concurrent.RecursiveTask;

/** The sum of some numbers, each half by a task of its own. */
final class Sum extends RecursiveTask<Long> {
    private static final long serialVersionUID = 1;

    private final int from;
    private final int to;

    Sum(int from, int to) {
        this.from = from;
        this.to = to;
    }

    @Override
    protected Long compute() {
        if (from == to) {
            return (long) from;
        }
        int middle = (from + to) / 2;
        Sum left = new Sum(from, middle);
        Sum right = new Sum(middle + 1, to);
        invokeAll(left, right);
        return left.join() + right.join();
    }
}
