package bst;

/** A node of a binary search tree. What it holds is compared only when the next value comes. */
public class BSTNode {
    private Object data;
    private BSTNode left;
    private BSTNode right;

    /** Makes a node without data. */
    public BSTNode() {
        data = null;
    }

    /** Puts a value into this node, or below it if it has one. */
    @SuppressWarnings("unchecked")
    public void setData(Object value) {
        Comparable<Object> ordered = (Comparable<Object>) value;
        if (data == null) {
            data = ordered;
        } else if (ordered.compareTo(data) < 0) {
            left = below(left, value);
        } else {
            right = below(right, value);
        }
    }

    private static BSTNode below(BSTNode node, Object value) {
        BSTNode used = node == null ? new BSTNode() : node;
        used.setData(value);
        return used;
    }

    /** How many values there are at this node and below it. */
    public int size() {
        int here = data == null ? 0 : 1;
        return here + (left == null ? 0 : left.size()) + (right == null ? 0 : right.size());
    }
}
