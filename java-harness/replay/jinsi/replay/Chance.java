package jinsi.replay;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What is another one in every run, in the texts of failures. `analysis/level` has the same rules in its `chance`. */
final class Chance {
    /** The way to a temporary file, up to the last name with a long number in it. */
    private static final String TEMPORARY = "(?<![\\p{L}\\p{N}._\\-+$~/])/[\\p{L}\\p{N}._\\-+$~/]*\\d{5,}[\\p{L}\\p{N}._\\-+$~]*";
    /** Or an identity hash code, or a time, a port, the name of a temporary file. */
    private static final Pattern ANY = Pattern.compile(TEMPORARY + "|@\\p{XDigit}+|\\d{5,}");

    private Chance() {
    }

    /** A message without that: two that differ in nothing else say the same. {@code null} of {@code null}. */
    static String without(String message) {
        if (message == null) {
            return null;
        }
        Matcher found = ANY.matcher(message);
        return found.replaceAll(all -> all.group().startsWith("@") ? "@#" : "#");
    }
}
