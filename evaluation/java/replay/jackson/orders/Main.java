package orders;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;

/** Writes orders with Jackson's streams, reads them again, and at last what lacks its beginning. */
public final class Main {
    private Main() {
    }

    /** Ends by a JsonParseException. */
    public static void main(String[] args) throws IOException {
        JsonFactory factory = new JsonFactory();
        StringWriter text = new StringWriter();
        try (JsonGenerator out = factory.createGenerator(text)) {
            out.writeStartArray();
            for (int i = 1; i < 4; i++) {
                out.writeStartObject();
                out.writeStringField("item", "nail \"" + i + "\"");
                out.writeNumberField("count", i * 1.5);
                out.writeEndObject();
            }
            out.writeEndArray();
        }
        System.out.println(sum(factory, text.toString()));
        System.out.println(sum(factory, text.getBuffer().substring(9)));
    }

    private static double sum(JsonFactory factory, String text) throws IOException {
        double sum = 0;
        try (JsonParser in = factory.createParser(new StringReader(text))) {
            while (in.nextToken() != null) {
                if (in.currentToken() == JsonToken.VALUE_NUMBER_FLOAT) {
                    sum += in.getDoubleValue();
                }
            }
        }
        return sum;
    }
}
