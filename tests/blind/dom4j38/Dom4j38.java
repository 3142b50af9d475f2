package dom4j38;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.dom4j.io.OutputFormat;
import org.dom4j.io.XMLWriter;
import org.dom4j.tree.DefaultElement;

/** Writes elements in ASCII. */
public class Dom4j38 {
    private Dom4j38() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) throws IOException {
        assertThat(write("bird")).isEqualTo("<foo>bird</foo>");
        assertThat(write("\u00e4")).isEqualTo("<foo>&#228;</foo>");
        String penguin = "\ud83d\udc27";
        assertThat(write(penguin)).isEqualTo("<foo>&#128039;</foo>");
    }

    private static String write(String text) throws IOException {
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        OutputFormat format = OutputFormat.createPrettyPrint();
        format.setEncoding("US-ASCII");
        XMLWriter writer = new XMLWriter(stream, format);
        DefaultElement foo = new DefaultElement("foo");
        foo.addText(text);
        writer.write(foo);
        return stream.toString("US-ASCII").trim();
    }
}
