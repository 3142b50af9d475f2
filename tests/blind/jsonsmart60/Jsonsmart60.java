package jsonsmart60;

import net.minidev.json.parser.JSONParser;
import net.minidev.json.parser.ParseException;

/** Parses numbers, at last one that has no digits. */
public class Jsonsmart60 {
    private Jsonsmart60() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        JSONParser parser = new JSONParser(JSONParser.MODE_PERMISSIVE);
        for (String text : new String[] {"[1, 2.5]", "{\"a\": -3e2}", "[1, ", "-."}) {
            try {
                System.out.println(parser.parse(text));
            } catch (ParseException e) {
                System.out.println("no JSON: " + text);
            }
        }
    }
}
