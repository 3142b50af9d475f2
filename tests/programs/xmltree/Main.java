package xmltree;

/**
 * Eight interactions with {@link XMLElement}s, of which the last fails. Interactions 3 to 8 concern objects that are connected with the
 * failure; 3, 5, 6 and 8 suffice for it.
 */
public class Main {
    private Main() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        XMLElement unrelated = new XMLElement();
        unrelated.setName("unrelated");
        XMLElement root = new XMLElement();
        root.setName("root");
        XMLElement child = new XMLElement();
        root.addChild(child);
        child.setName("child");
        System.out.println("children: " + root.getNumberOfChildren());
    }
}
