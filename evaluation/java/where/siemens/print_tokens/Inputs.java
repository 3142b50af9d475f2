package siemens.print_tokens;

import java.util.ArrayList;
import java.util.List;
import siemens.Numbers;
import siemens.Subject;

/** Texts of tokens, some of them wrong. */
public final class Inputs implements Subject {
    @Override
    public List<String> inputs() {
        return texts(7);
    }

    /** Inputs of both analyzers. */
    public static List<String> texts(int seed) {
        Numbers numbers = new Numbers(seed);
        List<String> all = new ArrayList<>();
        while (all.size() < 1000) {
            StringBuilder text = new StringBuilder();
            int count = 1 + numbers.below(9);
            for (int done = 0; done < count; done++) {
                text.append(token(numbers));
                text.append(numbers.of(" ", " ", "\n", "\t", "", " "));
            }
            all.add(text.toString());
        }
        return all;
    }

    private static String token(Numbers numbers) {
        return switch (numbers.below(16)) {
            case 0 -> numbers.of("and", "or", "if", "xor", "lambda", "=>", "lambdas", "i");
            case 1, 2 -> numbers.of("a", "x1", "Foo", "bar9z", "z", "AND", "iff", "andy");
            case 3, 4 -> numbers.of("0", "12", "345", "007", "1234567890");
            case 5 -> numbers.of("(", ")", "[", "]", "'", "`", ",");
            case 6 -> numbers.of("=", "=>", "= >", "==>");
            case 7 -> numbers.of("\"\"", "\"a\"", "\"a b;\"", "\"x(y)\"");
            case 8 -> numbers.of("\"open", "\"line\nbreak\"", "\"");
            case 9 -> numbers.of("; comment", ";", ";; x \"y\"", ";a\n");
            case 10 -> numbers.of("1a", "12x3", "9_");
            case 11 -> numbers.of("#a", "#12", "#\"", "#(", "#", "#\n");
            case 12 -> numbers.of("a_b", "x-1", "a=>b", "foo.bar", "q!");
            case 13 -> numbers.of("@", "$$", "%1", "*", "{}", "|");
            case 14 -> numbers.of("(a)", "[1,2]", "f(x,y)", "'a", "`b");
            default -> numbers.of("(and a b)", "(lambda (x) x)", "if(or,1)", "[\"s\"]");
        };
    }

    @Override
    public String run(String input) {
        return new PrintTokens(input).run();
    }
}
