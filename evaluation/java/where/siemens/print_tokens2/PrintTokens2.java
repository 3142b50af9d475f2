package siemens.print_tokens2;

/** A lexical analyzer by hand: it takes a token out of the text, and asks of it one thing behind the other. */
final class PrintTokens2 {
    private final String text;
    private final StringBuilder out = new StringBuilder();
    private int at;

    PrintTokens2(String text) {
        this.text = text;
    }

    private int read() {
        if (at < text.length()) {
            return text.charAt(at++);
        }
        at++;
        return -1;
    }

    private void unread() {
        at--;
    }

    static boolean isSpecial(int character) {
        return character == '(' || character == ')' || character == '[' || character == ']' || character == '\''
                || character == '`' || character == ',';
    }

    static boolean isBlank(int character) {
        return character == ' ' || character == '\n' || character == '\t';
    }

    /** Does a token end before this character, which is not one of its own? */
    static boolean isEnd(boolean inString, boolean inComment, int character) {
        if (character == -1) {
            return true;
        }
        if (inString) {
            return character == '"' || character == '\n';
        }
        if (inComment) {
            return character == '\n';
        }
        if (isSpecial(character)) {
            return true;
        }
        if (isBlank(character)) {
            return true;
        }
        return character == ';';
    }

    /** The next token; null at the end. */
    private String token() {
        int character = read();
        while (isBlank(character)) {
            character = read();
        }
        if (character == -1) {
            return null;
        }
        StringBuilder token = new StringBuilder();
        token.append((char) character);
        if (isSpecial(character)) {
            return token.toString();
        }
        boolean inString = character == '"';
        boolean inComment = character == ';';
        character = read();
        while (!isEnd(inString, inComment, character)) {
            token.append((char) character);
            character = read();
        }
        if (character == -1) {
            unread();
            return token.toString();
        }
        if (inString && character == '"') {
            token.append('"');
            return token.toString();
        }
        unread();
        return token.toString();
    }

    static boolean isComment(String token) {
        return token.charAt(0) == ';';
    }

    static boolean isKeyword(String token) {
        if (token.equals("and") || token.equals("or") || token.equals("if")) {
            return true;
        }
        return token.equals("xor") || token.equals("lambda") || token.equals("=>");
    }

    static boolean isCharacter(String token) {
        if (token.length() != 2) {
            return false;
        }
        return token.charAt(0) == '#' && Character.isLetter(token.charAt(1));
    }

    static boolean isNumber(String token) {
        if (!Character.isDigit(token.charAt(0))) {
            return false;
        }
        int place = 1;
        while (place < token.length()) {
            if (!Character.isDigit(token.charAt(place))) {
                return false;
            }
            place++;
        }
        return true;
    }

    static boolean isString(String token) {
        int last = token.length() - 1;
        return token.charAt(0) == '"' && last > 0 && token.charAt(last) == '"';
    }

    static boolean isIdentifier(String token) {
        if (!Character.isLetter(token.charAt(0))) {
            return false;
        }
        for (int place = 1; place < token.length(); place++) {
            if (!Character.isLetterOrDigit(token.charAt(place))) {
                return false;
            }
        }
        return true;
    }

    private String kind(String token) {
        if (token.length() == 1 && isSpecial(token.charAt(0))) {
            return "special";
        }
        if (isKeyword(token)) {
            return "keyword";
        }
        if (isIdentifier(token)) {
            return "identifier";
        }
        if (isNumber(token)) {
            return "numeric";
        }
        if (isString(token)) {
            return "string";
        }
        if (isCharacter(token)) {
            return "character";
        }
        if (isComment(token)) {
            return "comment";
        }
        return "error";
    }

    private void special(String token) {
        String name = "lparen";
        switch (token.charAt(0)) {
            case ')':
                name = "rparen";
                break;
            case '[':
                name = "lsquare";
                break;
            case ']':
                name = "rsquare";
                break;
            case '\'':
                name = "quote";
                break;
            case '`':
                name = "bquote";
                break;
            case ',':
                name = "comma";
                break;
            default:
                break;
        }
        out.append(name).append(".\n");
    }

    private void print(String token) {
        String kind = kind(token);
        if (kind.equals("special")) {
            special(token);
        } else if (kind.equals("numeric") || kind.equals("string")) {
            out.append(kind).append(',').append(token).append(".\n");
        } else if (kind.equals("character")) {
            out.append("character,\"").append(token.charAt(1)).append("\".\n");
        } else if (!kind.equals("comment")) {
            out.append(kind).append(",\"").append(token).append("\".\n");
        }
    }

    String run() {
        String token = token();
        while (token != null) {
            print(token);
            token = token();
        }
        out.append("eof.");
        return out.toString();
    }
}
