package nan6;

import net.n3.nanoxml.IXMLElement;
import net.n3.nanoxml.IXMLEntityResolver;
import net.n3.nanoxml.IXMLParser;
import net.n3.nanoxml.NonValidator;
import net.n3.nanoxml.StdXMLBuilder;
import net.n3.nanoxml.StdXMLParser;
import net.n3.nanoxml.StdXMLReader;
import net.n3.nanoxml.XMLWriter;

/** Reads a document and writes it again. It defines entities of its own, and one anew: escaped twice. */
public class Nan6 {
    private Nan6() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) throws Exception {
        IXMLEntityResolver resolver = new Entities();
        resolver.addInternalEntity("copy", "&#169;");
        resolver.addInternalEntity("amp", "&#38;#38;");
        resolver.addInternalEntity("dash", "&#8212;");
        IXMLParser parser = new StdXMLParser();
        parser.setBuilder(new StdXMLBuilder());
        parser.setValidator(new NonValidator());
        parser.setResolver(resolver);
        String text = "<DOC><HEAD kind='test'>Entities</HEAD><FOO>&lt;&amp;&gt;!:</FOO><END/></DOC>";
        parser.setReader(StdXMLReader.stringReader(text));
        IXMLElement document = (IXMLElement) parser.parse();
        new XMLWriter(System.out).write(document, true);
    }
}
