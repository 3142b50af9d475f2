package avl;

/** Fills a tree and says what is in it. */
public final class Main {
    private Main() {
    }

    public static void main(String[] args) {
        AvlTree tree = new AvlTree();
        int[] keys = {30, 10, 20, 40, 35};
        for (int key : keys) {
            tree.insert(key);
        }
        System.out.println(tree.size());
        System.out.println(tree.contains(35));
        System.out.println(tree.contains(15));
        System.out.println(tree.text());
    }
}
