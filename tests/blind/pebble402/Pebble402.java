package pebble402;

import static org.junit.Assert.assertEquals;

import com.mitchellbosecke.pebble.PebbleEngine;
import com.mitchellbosecke.pebble.loader.StringLoader;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Renders the list of the files of a directory. */
public class Pebble402 {
    private static final String TEMPLATE = "{% if dirEntries.size > 0 %}\n"
            + "    {{ filesTable(dirEntries) }}\n"
            + "{% else %}\n"
            + "    <p>There are no available files.</p>\n"
            + "{% endif %}\n"
            + "{% macro filesTable(dirEntries) %}<table>{{ dirEntries[0] }}</table>{% endmacro %}\n";

    private Pebble402() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) throws IOException {
        List<String> dirEntries = new ArrayList<>();
        assertEquals("<p>There are no available files.</p>", render(dirEntries));
        dirEntries.add("a.txt");
        assertEquals("<table>a.txt</table>", render(dirEntries));
    }

    private static String render(List<String> dirEntries) throws IOException {
        PebbleEngine engine = new PebbleEngine.Builder().loader(new StringLoader()).build();
        Map<String, Object> context = new HashMap<>();
        context.put("dirEntries", dirEntries);
        StringWriter writer = new StringWriter();
        engine.getTemplate(TEMPLATE).evaluate(writer, context);
        return writer.toString().trim();
    }
}
