package xmltree;

/**
 * Runs every method of {@link XMLElement}. The two constructor calls, the last {@code addChild} and the failing
 * {@code getNumberOfChildren} suffice for the failure; neither the name nor the clearing of the children has a part in it.
 */
public class ClearMain {
    private ClearMain() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        XMLElement root = new XMLElement();
        root.setName("root");
        XMLElement child = new XMLElement();
        root.addChild(child);
        root.removeAllChildren();
        root.addChild(child);
        System.out.println("children: " + root.getNumberOfChildren());
    }
}
