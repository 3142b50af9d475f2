package siemens.replace;

/** Replaces what a pattern matches, line by line. The pattern is encoded first, the replacement, too. */
final class Replace {
    static final char BEGIN = '%';
    static final char END = '$';
    static final char ANY = '?';
    static final char CLASS = '[';
    static final char CLASS_END = ']';
    static final char NEGATED = '^';
    static final char CLOSURE = '*';
    static final char ESCAPE = '@';
    static final char DASH = '-';
    static final char DITTO = '&';
    static final char LITERAL = 'c';
    static final char NOT_CLASS = '!';
    static final char DITTO_CODE = '\uFFFF';

    private final StringBuilder out = new StringBuilder();
    private int maximum = 100;
    private char[] pattern = new char[maximum];
    private char[] replacement = new char[maximum];
    private int patternLength;
    private int replacementLength;
    /** Where the reading of a pattern is. */
    private int at;
    private boolean overflow;

    private char escaped(String text) {
        if (text.charAt(at) != ESCAPE) {
            return text.charAt(at);
        }
        if (at + 1 >= text.length()) {
            return ESCAPE;
        }
        at++;
        if (text.charAt(at) == 'n') {
            return '\n';
        }
        if (text.charAt(at) == 't') {
            return '\t';
        }
        return text.charAt(at);
    }

    private boolean add(char code) {
        if (patternLength >= maximum) {
            overflow = true;
            return false;
        }
        pattern[patternLength] = code;
        patternLength++;
        return true;
    }

    private boolean isLetterOrDigit(char character) {
        return character >= 'a' && character <= 'z' || character >= 'A' && character <= 'Z' || character >= '0' && character <= '9';
    }

    /** The characters of a class, with ranges written out. */
    private void expand(String text, char delimiter) {
        while (at < text.length() && text.charAt(at) != delimiter) {
            if (text.charAt(at) == ESCAPE) {
                add(escaped(text));
            } else if (text.charAt(at) != DASH) {
                add(text.charAt(at));
            } else if (at + 1 >= text.length() || text.charAt(at - 1) == CLASS || text.charAt(at - 1) == NEGATED) {
                add(DASH);
            } else {
                char before = text.charAt(at - 1);
                char behind = text.charAt(at + 1);
                if (isLetterOrDigit(before) && isLetterOrDigit(behind) && before <= behind) {
                    for (char between = (char) (before + 1); between <= behind; between++) {
                        add(between);
                    }
                    at++;
                } else {
                    add(DASH);
                }
            }
            at++;
        }
    }

    private boolean encodeClass(String text) {
        at++;
        if (at < text.length() && text.charAt(at) == NEGATED) {
            add(NOT_CLASS);
            at++;
        } else {
            add(CLASS);
        }
        int start = patternLength;
        add((char) 0);
        expand(text, CLASS_END);
        if (start < maximum) {
            pattern[start] = (char) (patternLength - start - 1);
        }
        return at < text.length() && text.charAt(at) == CLASS_END;
    }

    /** May what was encoded last be repeated? */
    private boolean repeats(int last) {
        return pattern[last] != BEGIN && pattern[last] != END && pattern[last] != CLOSURE;
    }

    private void encodeClosure(int last) {
        add(CLOSURE);
        for (int place = patternLength - 1; place > last; place--) {
            pattern[place] = pattern[place - 1];
        }
        pattern[last] = CLOSURE;
    }

    /** The length of the encoded pattern; 0 if it is none. */
    boolean encode(String text) {
        at = 0;
        patternLength = 0;
        int last = 0;
        boolean done = false;
        while (!done && at < text.length()) {
            int here = patternLength;
            char character = text.charAt(at);
            if (character == ANY) {
                add(ANY);
            } else if (character == BEGIN && at == 0) {
                add(BEGIN);
            } else if (character == END && at == text.length() - 1) {
                add(END);
            } else if (character == CLASS) {
                if (!encodeClass(text)) {
                    return false;
                }
            } else if (character == CLOSURE && at > 0) {
                here = last;
                if (repeats(last)) {
                    encodeClosure(last);
                } else {
                    done = true;
                }
            } else {
                add(LITERAL);
                add(escaped(text));
            }
            last = here;
            if (!done) {
                at++;
            }
        }
        return !done && !overflow && patternLength > 0;
    }

    boolean encodeReplacement(String text) {
        at = 0;
        replacementLength = 0;
        while (at < text.length()) {
            if (replacementLength >= maximum) {
                return false;
            }
            if (text.charAt(at) == DITTO) {
                replacement[replacementLength] = DITTO_CODE;
            } else {
                replacement[replacementLength] = escaped(text);
            }
            replacementLength++;
            at++;
        }
        return true;
    }

    private boolean isInClass(char character, int place) {
        int count = pattern[place];
        for (int entry = place + count; entry > place; entry--) {
            if (pattern[entry] == character) {
                return true;
            }
        }
        return false;
    }

    /** How many characters one element matches; negative if it does not. */
    private int matchOne(String line, int from, int element) {
        int advance = -1;
        if (from >= line.length()) {
            if (pattern[element] == END) {
                return 0;
            }
            return pattern[element] == BEGIN && from == 0 ? 0 : -1;
        }
        char character = line.charAt(from);
        if (pattern[element] == LITERAL) {
            if (character == pattern[element + 1]) {
                advance = 1;
            }
        } else if (pattern[element] == BEGIN) {
            if (from == 0) {
                advance = 0;
            }
        } else if (pattern[element] == ANY) {
            if (character != '\n') {
                advance = 1;
            }
        } else if (pattern[element] == END) {
            if (character == '\n') {
                advance = 0;
            }
        } else if (pattern[element] == CLASS) {
            if (isInClass(character, element + 1)) {
                advance = 1;
            }
        } else if (pattern[element] == NOT_CLASS) {
            if (character != '\n' && !isInClass(character, element + 1)) {
                advance = 1;
            }
        }
        return advance;
    }

    private int sizeOf(int element) {
        if (pattern[element] == LITERAL) {
            return 2;
        }
        if (pattern[element] == CLASS || pattern[element] == NOT_CLASS) {
            return pattern[element + 1] + 2;
        }
        return 1;
    }

    /** Where the match ends that begins at a place; negative if there is none. */
    private int match(String line, int from, int element) {
        int place = from;
        while (element < patternLength) {
            if (pattern[element] == CLOSURE) {
                int repeated = element + 1;
                int far = place;
                while (far < line.length()) {
                    int advance = matchOne(line, far, repeated);
                    if (advance <= 0) {
                        break;
                    }
                    far += advance;
                }
                int rest = repeated + sizeOf(repeated);
                while (far >= place) {
                    int end = match(line, far, rest);
                    if (end >= 0) {
                        return end;
                    }
                    far--;
                }
                return -1;
            }
            int advance = matchOne(line, place, element);
            if (advance < 0) {
                return -1;
            }
            place += advance;
            element += sizeOf(element);
        }
        return place;
    }

    private void put(String line, int from, int to) {
        for (int place = 0; place < replacementLength; place++) {
            if (replacement[place] == DITTO_CODE) {
                for (int copied = from; copied < to; copied++) {
                    out.append(line.charAt(copied));
                }
            } else {
                out.append(replacement[place]);
            }
        }
    }

    private void change(String line) {
        int place = 0;
        int last = -1;
        while (place < line.length()) {
            int end = match(line, place, 0);
            if (end >= 0 && last != end) {
                put(line, place, end);
                last = end;
            }
            if (end < 0 || end == place) {
                out.append(line.charAt(place));
                place++;
            } else {
                place = end;
            }
        }
    }

    String run(String[] parts) {
        if (!encode(parts[0])) {
            return "illegal pattern";
        }
        if (!encodeReplacement(parts[1])) {
            return "illegal replacement";
        }
        for (int line = 2; line < parts.length; line++) {
            change(parts[line] + "\n");
        }
        return out.toString();
    }
}
