package recipes;

import java.util.Locale;

/** A part of a text around a word. */
public class Excerpt {
    private final int beside;

    public Excerpt(int beside) {
        this.beside = beside;
    }

    public String around(String text, String word) {
        int at = text.toLowerCase(Locale.ROOT).indexOf(word);
        int begin = Math.max(0, at - beside);
        int end = Math.min(text.length(), at + word.length() + beside);
        return (begin > 0 ? "…" : "") + text.substring(begin, end) + (end < text.length() ? "…" : "");
    }
}
