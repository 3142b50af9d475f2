package in;

import java.util.Arrays;
import java.util.function.Function;

class Lambdas {
    Function<String, Integer> sum() {
        return text -> text.length() * 2 + 1;
    }

    Function<String, Integer> several() {
        return text -> Arrays.asList(text, "b").size();
    }

    Function<String, Integer> made() {
        return text -> new StringBuilder(text).append('x').length();
    }

    Function<String, Integer> statements() {
        return text -> {
            System.gc();
            return 7;
        };
    }

    Function<String, Integer> number(char letter) {
        return text -> (text + (int) letter).length();
    }

    Function<String, Integer> place(char letter) {
        return text -> text.indexOf(letter);
    }

    Function<String, Integer> branch() {
        return text -> text.isEmpty() ? 1 : 2;
    }

    Function<String, Integer> several(String other) {
        return text -> text.length() > 3 && !text.isEmpty() || text.startsWith("a") ? 1 : 2;
    }

    Function<String, Integer> compared() {
        return text -> !(text.length() * 0.5 < 3) || text.charAt(0) == 'x' ? text.length() : -1;
    }

    Function<String, Integer> chosen() {
        return text -> (text.equals("a") ? null : text) == null ? Boolean.valueOf(text.length() >= 2 && text.length() <= 5).hashCode() : 0;
    }

    Function<String, Integer> round() {
        return text -> {
            int sum = 0;
            while (sum < text.length()) {
                sum += 2;
            }
            return sum;
        };
    }

    Function<String, Integer> element() {
        return text -> text.split(" ")[0].length() + new int[] {4, 5}[text.length()];
    }

    Function<String, Integer> anonymous(int least, String other) {
        return new Function<>() {
            @Override
            public Integer apply(String text) {
                return text.length() < least ? least : text.indexOf(other);
            }
        };
    }

    Function<String, Integer> counting() {
        return new Function<>() {
            private int count;

            @Override
            public Integer apply(String text) {
                return count++;
            }
        };
    }
}
