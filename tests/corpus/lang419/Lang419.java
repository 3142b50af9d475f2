package lang419;

import org.apache.commons.lang.WordUtils;

/** Abbreviates a text to more and more characters. */
public class Lang419 {
    private Lang419() {
    }

    /** Runs the program; takes no arguments. */
    public static void main(String[] args) {
        String text = "Now is the time for all good men";
        for (int lower = 0; lower < 50; lower += 10) {
            System.out.println(WordUtils.abbreviate(WordUtils.capitalize(text), lower, lower + 15, "..."));
        }
    }
}
