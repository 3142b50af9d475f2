package woodstox123;

import java.nio.charset.StandardCharsets;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import com.ctc.wstx.stax.WstxInputFactory;
import org.codehaus.stax2.io.Stax2ByteArraySource;

/** Reads documents that are arrays of bytes. */
public class Woodstox123 {
    private Woodstox123() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        for (String document : new String[] {
            "<?xml version='1.0' encoding='US-ASCII'?><a>b</a>", "<?xml version='1.0' encoding='Shift_JIS'?>"}) {
            byte[] bytes = document.getBytes(StandardCharsets.US_ASCII);
            try {
                XMLStreamReader reader = new WstxInputFactory().createXMLStreamReader(new Stax2ByteArraySource(bytes, 0, bytes.length));
                while (reader.next() != XMLStreamConstants.END_DOCUMENT) {
                    System.out.println(reader.getEventType());
                }
            } catch (XMLStreamException e) {
                System.out.println("no document: " + e.getMessage());
            }
        }
    }
}
