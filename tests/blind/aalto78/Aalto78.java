package aalto78;

import static org.junit.Assert.assertEquals;

import com.fasterxml.aalto.AsyncByteArrayFeeder;
import com.fasterxml.aalto.AsyncXMLStreamReader;
import com.fasterxml.aalto.stax.InputFactoryImpl;
import java.nio.charset.StandardCharsets;
import javax.xml.stream.XMLStreamException;

/** Reads documents as they arrive. */
public class Aalto78 {
    private Aalto78() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) throws XMLStreamException {
        assertEquals("a<b", text("<root>a&lt;b</root>"));
        assertEquals("a'b", text("<root>a&apos;b</root>"));
        assertEquals("a\"b", text("<root>a&quot;b</root>"));
    }

    /** The text in a document. */
    private static String text(String xml) throws XMLStreamException {
        AsyncXMLStreamReader<AsyncByteArrayFeeder> reader = new InputFactoryImpl().createAsyncForByteArray();
        byte[] bytes = xml.getBytes(StandardCharsets.UTF_8);
        reader.getInputFeeder().feedInput(bytes, 0, bytes.length);
        reader.getInputFeeder().endOfInput();
        StringBuilder text = new StringBuilder();
        while (reader.hasNext()) {
            reader.next();
            if (reader.isCharacters()) {
                text.append(reader.getText());
            }
        }
        reader.close();
        return text.toString();
    }
}
