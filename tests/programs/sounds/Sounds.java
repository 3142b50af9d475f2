package sounds;

import org.apache.commons.codec.language.Soundex;

/** Codes names by their sound, and counts. */
public class Sounds {
    private final Soundex soundex = new Soundex();
    private int coded;
    /** The code of the last name. */
    String last;

    String code(String name) {
        coded++;
        last = soundex.encode(name);
        return last;
    }

    public int coded() {
        return coded;
    }
}
