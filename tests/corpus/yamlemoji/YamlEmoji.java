package yamlemoji;

import org.yaml.snakeyaml.Yaml;

/** Reads and writes documents, the last of which has an emoji. */
public class YamlEmoji {
    private YamlEmoji() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        Yaml yaml = new Yaml();
        for (String text : new String[] {"a: [1, 2.5]", "caf\u00e9: true", "face: \uD83D\uDE00"}) {
            Object value = yaml.load(text);
            System.out.println(yaml.dump(value));
        }
    }
}
