package siemens.replace;

import java.util.ArrayList;
import java.util.List;
import siemens.Numbers;
import siemens.Subject;

/** A pattern, a replacement, and lines; with a character between them that is in none. */
public final class Inputs implements Subject {
    @Override
    public List<String> inputs() {
        Numbers numbers = new Numbers(32);
        List<String> all = new ArrayList<>();
        while (all.size() < 1500) {
            StringBuilder text = new StringBuilder(pattern(numbers));
            text.append('\u0001').append(replacement(numbers));
            int lines = 1 + numbers.below(2);
            for (int done = 0; done < lines; done++) {
                text.append('\u0001').append(line(numbers));
            }
            all.add(text.toString());
        }
        return all;
    }

    private static String pattern(Numbers numbers) {
        StringBuilder pattern = new StringBuilder();
        if (numbers.below(6) == 0) {
            pattern.append('%');
        }
        int count = 1 + numbers.below(4);
        for (int done = 0; done < count; done++) {
            pattern.append(numbers.of("a", "b", "c", "?", "[a-c]", "[^a-b]", "[^x]", "@n", "@t", "@@", "x", "[-a]", "[a-]", "[0-9]", "[9-0]", "@*",
                "-", "%", "$", "[a", "[]", "1", "[@^a]", "[a@-c]", "[^-]", " ", "&"));
            if (numbers.below(4) == 0) {
                pattern.append('*');
            }
        }
        if (numbers.below(6) == 0) {
            pattern.append('$');
        }
        if (numbers.below(60) == 0) {
            pattern.append("[ -z0-9a-zA-Z0-9a-zA-Z]");
        }
        return pattern.toString();
    }

    private static String replacement(Numbers numbers) {
        StringBuilder replacement = new StringBuilder();
        int count = numbers.below(3);
        for (int done = 0; done < count; done++) {
            replacement.append(numbers.of("&", "<", ">", "@n", "@&", "@t", "z", "@", "&&"));
        }
        return replacement.toString();
    }

    private static String line(Numbers numbers) {
        StringBuilder line = new StringBuilder();
        int count = numbers.below(10);
        for (int done = 0; done < count; done++) {
            line.append(numbers.of("a", "b", "c", "aa", "x", "-", "1", "09", " ", "\t", "@", "*", "^", "%", "$", "ab", "abc", "&"));
        }
        return line.toString();
    }

    @Override
    public String run(String input) {
        return new Replace().run(input.split("\u0001", -1));
    }
}
