package chain;

/** Not observed. */
class Tool {
    int turn(int by) {
        return by * 2;
    }
}
