package avl;

/** A search tree that keeps itself balanced (Adelson-Velsky and Landis). */
final class AvlTree {
    private Node root;
    private int size;

    void insert(int key) {
        root = insert(root, key);
    }

    boolean contains(int key) {
        Node node = root;
        while (node != null && node.key != key) {
            node = key < node.key ? node.left : node.right;
        }
        return node != null;
    }

    int size() {
        return size;
    }

    private Node insert(Node node, int key) {
        if (node == null) {
            size = size + 1;
            return new Node(key);
        }
        if (key < node.key) {
            node.left = insert(node.left, key);
        } else if (key > node.key) {
            node.right = insert(node.right, key);
        } else {
            return node;
        }
        update(node);
        return balance(node);
    }

    private static int height(Node node) {
        return node == null ? 0 : node.height;
    }

    private static void update(Node node) {
        node.height = 1 + Math.max(height(node.left), height(node.right));
    }

    private static int slope(Node node) {
        return height(node.left) - height(node.right);
    }

    private Node balance(Node node) {
        int slope = slope(node);
        if (slope > 1) {
            if (slope(node.left) < 0) {
                node.left = rotateLeft(node.left);
            }
            return rotateRight(node);
        }
        if (slope < -1) {
            if (slope(node.right) > 0) {
                node.right = rotateRight(node.right);
            }
            return rotateLeft(node);
        }
        return node;
    }

    private static Node rotateRight(Node node) {
        Node up = node.left;
        node.left = up.right;
        up.right = node;
        update(node);
        update(up);
        return up;
    }

    private static Node rotateLeft(Node node) {
        Node up = node.right;
        node.right = up.left;
        up.left = node;
        update(node);
        update(up);
        return up;
    }

    String text() {
        return text(root);
    }

    private static String text(Node node) {
        if (node == null) {
            return "-";
        }
        return "(" + text(node.left) + node.key + ":" + node.height + text(node.right) + ")";
    }
}
