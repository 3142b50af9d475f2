package avl;

/** A node of an AVL tree. */
final class Node {
    final int key;
    int height;
    Node left;
    Node right;

    Node(int key) {
        this.key = key;
        this.height = 1;
    }
}
