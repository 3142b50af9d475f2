package kernels;

/** Allocation-heavy: search trees are grown from random keys, searched, and dropped, over and over. */
final class Trees {

    private static final int KEYS = 512;

    private int key;
    private Trees left;
    private Trees right;

    private Trees(int key) {
        this.key = key;
    }

    /** {@code size}: how many trees. */
    static void run(int size) {
        java.util.Random random = new java.util.Random(42L);
        for (int tree = 0; tree < size; tree++) {
            Trees root = new Trees(KEYS / 2);
            int nodes = 1;
            for (int i = 0; i < KEYS; i++) {
                if (insert(root, random.nextInt(KEYS))) {
                    nodes++;
                }
            }
            Main.check(count(root) == nodes, "nodes were lost");
        }
    }

    private static boolean insert(Trees root, int key) {
        Trees at = root;
        while (at.key != key) {
            Trees next = key < at.key ? at.left : at.right;
            if (next == null) {
                if (key < at.key) {
                    at.left = new Trees(key);
                } else {
                    at.right = new Trees(key);
                }
                return true;
            }
            at = next;
        }
        return false;
    }

    private static int count(Trees tree) {
        return tree == null ? 0 : 1 + count(tree.left) + count(tree.right);
    }
}
