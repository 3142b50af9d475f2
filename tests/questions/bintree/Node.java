package bintree;

/** A node of a search tree. */
final class Node {
    int key;
    Node left;
    Node right;

    Node(int key) {
        this.key = key;
    }
}
