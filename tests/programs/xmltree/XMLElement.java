package xmltree;

import java.util.ArrayList;
import java.util.List;

/**
 * An element of an XML tree. An element without a name stands for text.
 *
 * <p>The defect: {@link #getNumberOfChildren()} counts from 1 where the array counts from 0, and so fails if there is any child.
 */
public class XMLElement {
    private String name;
    private final List<XMLElement> children;

    /** Makes an element without name and children. */
    public XMLElement() {
        name = null;
        children = new ArrayList<>();
    }

    /** Sets the name; {@code null} makes this a piece of text. */
    public void setName(String name) {
        this.name = name;
    }

    /** Appends a child. */
    public void addChild(XMLElement child) {
        children.add(child);
    }

    /** Removes all children. */
    public void removeAllChildren() {
        children.clear();
    }

    /** The number of children that are not text. */
    public int getNumberOfChildren() {
        XMLElement[] all = children.toArray(new XMLElement[0]);
        int number = 0;
        for (int i = 1; i <= all.length; i++) {
            if (all[i].name != null) {
                number++;
            }
        }
        return number;
    }
}
