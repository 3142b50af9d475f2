package bintree;

/** Fills a tree, removes some, and says what is left. */
public final class Main {
    private Main() {
    }

    public static void main(String[] args) {
        BinaryTree tree = new BinaryTree();
        int[] keys = {50, 30, 70, 60, 80};
        for (int key : keys) {
            tree.insert(key);
        }
        tree.remove(30);
        tree.remove(50);
        System.out.println(tree.depth());
        System.out.println(tree.sum(60, 70));
        tree.print();
    }
}
