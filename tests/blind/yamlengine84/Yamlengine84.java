package yamlengine84;

import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Loads documents with comments. */
public class Yamlengine84 {
    private Yamlengine84() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        Load load = new Load(LoadSettings.builder().setParseComments(true).build());
        for (String yaml : new String[] {"key: value # comment", "---\n# comment\nkey: value", "--- # This comment causes exception\nkey: value"}) {
            System.out.println(load.loadFromString(yaml));
        }
    }
}
