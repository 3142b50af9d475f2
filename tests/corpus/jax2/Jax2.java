package jax2;

import org.jaxen.jdom.JDOMXPath;
import org.jdom.Document;
import org.jdom.Element;

/** Asks a document, and then one without root element. */
public class Jax2 {
    private Jax2() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) throws Exception {
        Document document = new Document(new Element("list").addContent(new Element("item").setText("one")));
        for (String path : new String[] {"/list/item", "count(//item)", "/list[item = 'one']"}) {
            System.out.println(new JDOMXPath(path).evaluate(document));
        }
        Document empty = new Document();
        System.out.println(new JDOMXPath("/list").selectNodes(empty));
    }
}
