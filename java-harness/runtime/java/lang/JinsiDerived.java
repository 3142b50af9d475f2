package java.lang;

import java.nio.charset.StandardCharsets;

/**
 * What a program makes of a secret in one step of the JDK's: other cases, no blanks around it, Base64 and hexadecimal digits. Each form is kept
 * with what stands in its place: the same, made of what stands in the place of the secret, so that replay, which takes that step for
 * real, comes to what was recorded. Uses no class of the JDK's that might not be initialized yet.
 */
final class JinsiDerived {
    /** A shorter part of a Base64 text may be chance. */
    private static final int SHORTEST_BASE64 = 8;
    private static final String BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    private static final String HEX = "0123456789abcdef";
    /** Kinds of forms. */
    private static final int FORMS = 15;

    private JinsiDerived() {}

    /** The number of forms that {@link #form} knows. */
    static int count() {
        return FORMS;
    }

    /** The form with this number of a text; null if it has none. */
    static String form(String text, int number) {
        switch (number) {
            case 0:
                return text.trim();
            case 1:
                return stripped(text);
            case 2:
                return cased(text, false);
            case 3:
                return cased(text, true);
            case 4:
                return cased(text.trim(), false);
            case 5:
                return cased(text.trim(), true);
            case 6:
                // As bytes, one a character.
                return latin1(utf8(text));
            case 7:
                return whole(base64(utf8(text), 0));
            case 8:
                return url(whole(base64(utf8(text), 0)));
            // Within a longer text that was encoded, such as "name:password".
            case 9:
            case 10:
            case 11:
                return inner(utf8(text), number - 9);
            case 12:
                return hex(utf8(text));
            case 13:
                return cased(hex(utf8(text)), true);
            default:
                return decoded(text);
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @SuppressWarnings("deprecation")
    private static String latin1(byte[] bytes) {
        return new String(bytes, 0);
    }

    private static String stripped(String text) {
        int from = 0;
        int to = text.length();
        while (from < to && Character.isWhitespace(text.charAt(from))) {
            from++;
        }
        while (from < to && Character.isWhitespace(text.charAt(to - 1))) {
            to--;
        }
        return text.substring(from, to);
    }

    /** A character becomes one: what changes its length, or depends on the language, is not met. */
    private static String cased(String text, boolean upper) {
        char[] chars = text.toCharArray();
        for (int i = 0; i < chars.length; i++) {
            chars[i] = upper ? Character.toUpperCase(chars[i]) : Character.toLowerCase(chars[i]);
        }
        return new String(chars);
    }

    private static String whole(String base64) {
        return base64.length() < SHORTEST_BASE64 ? null : base64;
    }

    private static String url(String base64) {
        return base64 == null ? null : base64.replace('+', '-').replace('/', '_');
    }

    /** The digits that the bytes alone decide if there are {@code before} more than a multiple of three in front of them, and any behind. */
    private static String inner(byte[] bytes, int before) {
        String digits = base64(bytes, before);
        int from = before == 0 ? 0 : before + 1;
        int to = (before + bytes.length) * 8 / 6;
        return to - from < SHORTEST_BASE64 ? null : digits.substring(from, to);
    }

    /** Without padding; {@code before} bytes of zero come first. */
    private static String base64(byte[] bytes, int before) {
        StringBuilder digits = new StringBuilder();
        int word = 0;
        int bits = 0;
        for (int i = -before; i < bytes.length; i++) {
            word = word << 8 | (i < 0 ? 0 : bytes[i] & 0xff);
            bits += 8;
            while (bits >= 6) {
                bits -= 6;
                digits.append(BASE64.charAt(word >> bits & 63));
            }
            word &= (1 << bits) - 1;
        }
        if (bits > 0) {
            digits.append(BASE64.charAt(word << 6 - bits & 63));
        }
        return digits.toString();
    }

    private static String hex(byte[] bytes) {
        char[] digits = new char[bytes.length * 2];
        for (int i = 0; i < bytes.length; i++) {
            digits[2 * i] = HEX.charAt(bytes[i] >> 4 & 15);
            digits[2 * i + 1] = HEX.charAt(bytes[i] & 15);
        }
        return new String(digits);
    }

    /** The bytes that a Base64 text stands for, one a character; null if it is none. */
    private static String decoded(String text) {
        int length = text.length();
        while (length > 0 && text.charAt(length - 1) == '=') {
            length--;
        }
        if (length < SHORTEST_BASE64 || length % 4 == 1) {
            return null;
        }
        byte[] bytes = new byte[length * 6 / 8];
        int word = 0;
        int bits = 0;
        int at = 0;
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            int digit = BASE64.indexOf(c == '-' ? '+' : c == '_' ? '/' : c);
            if (digit < 0) {
                return null;
            }
            word = (word << 6 | digit) & 0xffff;
            bits += 6;
            if (bits >= 8) {
                bits -= 8;
                bytes[at++] = (byte) (word >> bits);
            }
        }
        return latin1(bytes);
    }
}
