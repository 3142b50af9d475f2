package btree;

/** A page of a B-tree: up to three keys. */
final class Page {
    static final int MOST = 3;

    final int[] keys = new int[MOST];
    final Page[] below = new Page[MOST + 1];
    int count;
    final boolean leaf;

    Page(boolean leaf) {
        this.leaf = leaf;
    }

    boolean isFull() {
        return count == MOST;
    }

    int find(int key) {
        int at = 0;
        while (at < count && keys[at] < key) {
            at = at + 1;
        }
        return at;
    }

    void put(int at, int key) {
        for (int i = count; i > at; i--) {
            keys[i] = keys[i - 1];
        }
        keys[at] = key;
        count = count + 1;
    }

    void attach(int at, Page page) {
        for (int i = count; i > at; i--) {
            below[i] = below[i - 1];
        }
        below[at] = page;
    }
}
