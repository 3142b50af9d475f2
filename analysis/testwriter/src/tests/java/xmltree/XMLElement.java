package xmltree;

public class XMLElement {
    public void setName(String name) {
    }

    public void addChild(XMLElement child) {
    }

    public int getNumberOfChildren() {
        return 0;
    }
}
