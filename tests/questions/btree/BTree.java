package btree;

/** A B-tree of order four (Bayer and McCreight). */
final class BTree {
    private Page root = new Page(true);

    void insert(int key) {
        if (root.isFull()) {
            Page top = new Page(false);
            top.below[0] = root;
            split(top, 0);
            root = top;
        }
        insert(root, key);
    }

    private void insert(Page page, int key) {
        int at = page.find(key);
        if (at < page.count && page.keys[at] == key) {
            return;
        }
        if (page.leaf) {
            page.put(at, key);
            return;
        }
        if (page.below[at].isFull()) {
            split(page, at);
            if (key > page.keys[at]) {
                at = at + 1;
            }
        }
        insert(page.below[at], key);
    }

    private static void split(Page page, int at) {
        Page full = page.below[at];
        Page right = new Page(full.leaf);
        right.put(0, full.keys[2]);
        right.below[0] = full.below[2];
        right.below[1] = full.below[3];
        full.below[2] = null;
        full.below[3] = null;
        full.count = 1;
        page.put(at, full.keys[1]);
        page.attach(at + 1, right);
    }

    boolean contains(int key) {
        return contains(root, key);
    }

    private static boolean contains(Page page, int key) {
        int at = page.find(key);
        if (at < page.count && page.keys[at] == key) {
            return true;
        }
        if (page.leaf) {
            return false;
        }
        return contains(page.below[at], key);
    }

    int height() {
        int height = 1;
        Page page = root;
        while (!page.leaf) {
            page = page.below[0];
            height = height + 1;
        }
        return height;
    }

    String text() {
        return text(root);
    }

    private static String text(Page page) {
        String text = "[";
        for (int i = 0; i < page.count; i++) {
            if (!page.leaf) {
                text = text + text(page.below[i]);
            }
            text = text + page.keys[i] + " ";
        }
        if (!page.leaf) {
            text = text + text(page.below[page.count]);
        }
        return text + "]";
    }
}
