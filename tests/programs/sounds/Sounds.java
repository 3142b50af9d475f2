package sounds;

import org.apache.commons.codec.language.Soundex;

/** Codes names by their sound, and counts. */
public class Sounds {
    private final Soundex soundex = new Soundex();
    private int coded;

    String code(String name) {
        coded++;
        return soundex.encode(name);
    }

    public int coded() {
        return coded;
    }
}
