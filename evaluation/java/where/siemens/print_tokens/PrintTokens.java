package siemens.print_tokens;

/** A lexical analyzer that is driven by tables: states, and for each the characters on which it goes on. */
final class PrintTokens {
    static final int ERROR = 0;
    static final int KEYWORD = 6;
    static final int SPECIAL = 7;
    static final int IDENTIFIER = 9;
    static final int NUMERIC = 10;
    static final int STRING = 15;
    static final int COMMENT = 18;

    private static final String[] KEYWORDS = {"and", "or", "if", "xor", "lambda", "=>"};
    private static final String[] SPECIALS = {"lparen", "rparen", "lsquare", "rsquare", "quote", "bquote", "comma", "equalgreater"};

    /** By state: where its row begins, and what is the default. */
    private final int[] base = new int[32];
    private final int[] otherwise = new int[32];
    /** Where to, and from which state the entry is. */
    private final int[] next = new int[128 * 6];
    private final int[] check = new int[128 * 6];
    private final StringBuilder out = new StringBuilder();
    private final String text;
    private int at;
    private int rows;

    PrintTokens(String text) {
        this.text = text;
        for (int entry = 0; entry < check.length; entry++) {
            check[entry] = -1;
        }
        for (int state = 0; state < 32; state++) {
            base[state] = -1;
            otherwise[state] = -1;
        }
        fill();
    }

    /** A transition on one character. */
    private void on(int state, char character, int to) {
        if (base[state] < 0) {
            base[state] = rows * 128;
            rows++;
        }
        next[base[state] + character] = to;
        check[base[state] + character] = state;
    }

    private void onAll(int state, char from, char last, int to) {
        for (char character = from; character <= last; character++) {
            on(state, character, to);
        }
    }

    private void fill() {
        onAll(0, 'a', 'z', 9);
        onAll(0, 'A', 'Z', 9);
        onAll(0, '0', '9', 10);
        on(0, '(', 19);
        on(0, ')', 20);
        on(0, '[', 21);
        on(0, ']', 22);
        on(0, '\'', 23);
        on(0, '`', 24);
        on(0, ',', 25);
        on(0, '=', 12);
        on(12, '>', 13);
        on(0, '"', 14);
        onAll(14, ' ', '~', 14);
        on(14, '"', 15);
        on(0, ';', 18);
        onAll(18, ' ', '~', 18);
        on(18, '\t', 18);
        onAll(9, 'a', 'z', 9);
        onAll(9, 'A', 'Z', 9);
        onAll(9, '0', '9', 9);
        onAll(10, '0', '9', 10);
        otherwise[14] = 17;
    }

    private boolean atEnd() {
        return at >= text.length();
    }

    private boolean isBlank(char character) {
        return character == ' ' || character == '\n' || character == '\t';
    }

    private void skip() {
        while (!atEnd() && isBlank(text.charAt(at))) {
            at++;
        }
    }

    /** Where a state goes on a character; negative if it ends there. */
    private int follow(int state, char character) {
        if (base[state] < 0) {
            return otherwise[state];
        }
        int entry = base[state] + character;
        if (character < 128 && check[entry] == state) {
            return next[entry];
        }
        return otherwise[state];
    }

    private boolean isFinal(int state) {
        return state == 9 || state == 10 || state == 13 || state == 15 || state == 18 || state >= 19;
    }

    private int kindOf(int state, String token) {
        if (state == 9) {
            for (String keyword : KEYWORDS) {
                if (keyword.equals(token)) {
                    return KEYWORD;
                }
            }
            return IDENTIFIER;
        }
        if (state == 10) {
            return NUMERIC;
        }
        if (state == 13 || state >= 19) {
            return SPECIAL;
        }
        if (state == 15) {
            return STRING;
        }
        if (state == 18) {
            return COMMENT;
        }
        return ERROR;
    }

    /** A token whose characters belong together, though it is none, ends where a blank or a special character is. */
    private boolean ends(char character) {
        return isBlank(character) || "()[]'`,;\"".indexOf(character) >= 0;
    }

    private String special(int state) {
        if (state == 13) {
            return SPECIALS[7];
        }
        return SPECIALS[state - 19];
    }

    private void print(int state, String token) {
        int kind = kindOf(state, token);
        if (kind == KEYWORD) {
            out.append("keyword,\"").append(token).append("\".\n");
        } else if (kind == IDENTIFIER) {
            out.append("identifier,\"").append(token).append("\".\n");
        } else if (kind == NUMERIC) {
            out.append("numeric,").append(token).append(".\n");
        } else if (kind == SPECIAL) {
            out.append(special(state)).append(".\n");
        } else if (kind == STRING) {
            out.append("string,").append(token).append(".\n");
        } else if (kind == COMMENT) {
            out.append("comment,\"").append(token).append("\".\n");
        } else {
            out.append("error,\"").append(token).append("\".\n");
        }
    }

    /** One token. */
    private void token() {
        int from = at;
        int state = 0;
        while (!atEnd()) {
            int to = follow(state, text.charAt(at));
            if (to < 0) {
                break;
            }
            if (to == 17) {
                state = ERROR;
                break;
            }
            state = to;
            at++;
            if (state == 15) {
                break;
            }
        }
        if (!isFinal(state) || state == 9 && !atEnd() && !ends(text.charAt(at))) {
            state = ERROR;
            while (!atEnd() && !ends(text.charAt(at))) {
                at++;
            }
            if (at == from) {
                at++;
            }
        }
        if (state == 10 && !atEnd() && Character.isLetter(text.charAt(at))) {
            state = ERROR;
            while (!atEnd() && !ends(text.charAt(at))) {
                at++;
            }
        }
        print(state, text.substring(from, at));
    }

    String run() {
        skip();
        while (!atEnd()) {
            token();
            skip();
        }
        out.append("eof.");
        return out.toString();
    }
}
