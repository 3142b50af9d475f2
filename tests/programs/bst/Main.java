package bst;

/** Fills a tree, and hands an array of characters to another one: 9 interactions, of which the last two are needed. */
public class Main {
    private Main() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        BSTNode names = new BSTNode();
        for (String name : new String[] {"m", "c", "x", "d", "a"}) {
            names.setData(name);
        }
        System.out.println(names.size() + " names");
        BSTNode letters = new BSTNode();
        letters.setData("jinsi".toCharArray());
    }
}
