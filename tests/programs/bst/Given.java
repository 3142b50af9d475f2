package bst;

/** BST-1 and BST-2 (Burger 2011, Table 9.2): a tree is given what cannot be compared, an array of characters or a plain object. */
public final class Given {
    private Given() {
    }

    public static void main(String[] args) {
        BSTNode tree = new BSTNode();
        if (args[0].equals("array")) {
            tree.setData(new char[] {'a', 'b'});
        } else {
            tree.setData(new Object());
        }
    }
}
