package btree;

/** Fills a tree and says what is in it. */
public final class Main {
    private Main() {
    }

    public static void main(String[] args) {
        BTree tree = new BTree();
        int[] keys = {50, 20, 70, 10, 30, 60, 80, 15, 5, 40, 12};
        for (int key : keys) {
            tree.insert(key);
        }
        System.out.println(tree.height());
        System.out.println(tree.contains(30));
        System.out.println(tree.contains(31));
        System.out.println(tree.text());
    }
}
