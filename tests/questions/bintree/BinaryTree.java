package bintree;

/** A search tree from which can be removed. */
final class BinaryTree {
    private Node root;

    void insert(int key) {
        root = insert(root, key);
    }

    private Node insert(Node node, int key) {
        if (node == null) {
            return new Node(key);
        }
        if (key < node.key) {
            node.left = insert(node.left, key);
        } else if (key > node.key) {
            node.right = insert(node.right, key);
        }
        return node;
    }

    void remove(int key) {
        root = remove(root, key);
    }

    private Node remove(Node node, int key) {
        if (node == null) {
            return null;
        }
        if (key < node.key) {
            node.left = remove(node.left, key);
            return node;
        }
        if (key > node.key) {
            node.right = remove(node.right, key);
            return node;
        }
        if (node.left == null) {
            return node.right;
        }
        if (node.right == null) {
            return node.left;
        }
        node.key = least(node.right);
        node.right = remove(node.right, node.key);
        return node;
    }

    private static int least(Node node) {
        while (node.left != null) {
            node = node.left;
        }
        return node.key;
    }

    int depth() {
        return depth(root);
    }

    private static int depth(Node node) {
        if (node == null) {
            return 0;
        }
        int left = depth(node.left);
        int right = depth(node.right);
        return 1 + (left > right ? left : right);
    }

    int sum(int from, int to) {
        return sum(root, from, to);
    }

    private static int sum(Node node, int from, int to) {
        if (node == null) {
            return 0;
        }
        int sum = 0;
        if (node.key >= from && node.key <= to) {
            sum = sum + node.key;
        }
        if (node.key > from) {
            sum = sum + sum(node.left, from, to);
        }
        if (node.key < to) {
            sum = sum + sum(node.right, from, to);
        }
        return sum;
    }

    void print() {
        print(root);
        System.out.println();
    }

    private static void print(Node node) {
        if (node != null) {
            print(node.left);
            System.out.print(node.key);
            System.out.print(' ');
            print(node.right);
        }
    }
}
