package unwound;

/** Calls itself until the stack is full. */
final class Deep {
    private int calls;

    int down(int depth) {
        calls++;
        return depth + down(depth + 1);
    }
}
