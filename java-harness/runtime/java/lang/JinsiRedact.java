package java.lang;

/**
 * Keeps texts out of the trace ({@code redact=}). Rewritten code tells the values of the members that the option names before any event
 * can hold them ({@link #secret}); from then on a secret is replaced in every text that is written, wherever it comes from. Nothing of this is at work without the option.
 */
public final class JinsiRedact {
    /** A shorter secret is one only as a whole text: parts of other texts that are equal to it mean nothing. */
    private static final int SHORTEST_PART = 4;
    /** A shorter text is not taken for a part of a secret, nor one that is less than half of it. */
    private static final int SHORTEST_CUT = 6;
    /** So many secrets are kept; what comes then is treated as if every text were one. */
    private static final int MOST = 2_000;
    private static final int MODE = mode0();
    /** Is there anything to keep out? */
    static final boolean ON = MODE != JinsiNumbers.REDACT_NOTHING;
    /** Unknown to whoever reads the trace, so that texts cannot be tried against it. */
    private static final long KEY = key0();

    /**
     * Texts that are replaced, each with what stands in its place behind it; shorter ones first. They are the secrets, and what is made of
     * them in one step ({@link JinsiDerived}). Null: every text is one.
     */
    private static volatile String[] forms = {};
    /** The secrets alone, each with what stands in its place behind it. */
    private static volatile String[] secrets = {};

    private JinsiRedact() {}

    /** Initializes the class, and has its native methods found. */
    static void warmUp() {
        redacts0(null, null);
        secret(null);
        of("");
        if (ON) {
            // What is derived names classes for characters beyond Latin-1.
            for (int number = 0; number < JinsiDerived.count(); number++) {
                JinsiDerived.form("\u0100 warm", number);
            }
        }
    }

    /** The text of {@code value}, or those in it, must not get into the trace. */
    public static void secret(Object value) {
        try {
            if (value instanceof String) {
                add((String) value);
            } else if (value instanceof char[]) {
                add(new String((char[]) value));
            } else if (value instanceof byte[]) {
                add(latin1((byte[]) value));
            } else if (value instanceof StringBuilder || value instanceof StringBuffer) {
                add(value.toString());
            } else if (value instanceof Object[]) {
                for (Object each : (Object[]) value) {
                    secret(each);
                }
            }
        } catch (Throwable e) {
            // On a full stack, for example. Nothing may be said to the program, and nothing be given away.
            forms = null;
            JinsiStop.passOn(e);
        }
    }

    /** Is the field one whose values are secrets? For values that are read without the program's code. */
    static boolean names(Class<?> owner, String field) {
        return redacts0(owner.getName(), field);
    }

    /** What is to be written in place of a text: the same, with other characters where a secret stands in it. */
    static String of(String text) {
        String[] all = forms;
        if (all == null) {
            return masked(text);
        }
        int whole = text.length();
        char[] chars = null;
        for (int i = 0; i < all.length; i += 2) {
            String form = all[i];
            int length = form.length();
            if (length > whole) {
                break;
            }
            if (length < SHORTEST_PART && length != whole) {
                continue;
            }
            for (int at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + length)) {
                chars = chars == null ? text.toCharArray() : chars;
                all[i + 1].getChars(0, length, chars, at);
            }
        }
        if (chars != null) {
            return new String(chars);
        }
        return whole < SHORTEST_CUT ? text : cut(text);
    }

    /** The same of a text that may be a large part of a secret, cut out of it. */
    private static String cut(String text) {
        String[] all = secrets;
        int length = text.length();
        for (int i = 0; i < all.length; i += 2) {
            String secret = all[i];
            if (length < secret.length() && secret.length() <= 2 * length) {
                int at = secret.indexOf(text);
                if (at >= 0) {
                    return all[i + 1].substring(at, at + length);
                }
            }
        }
        return text;
    }

    /** What is to be written in place of an array of primitives. */
    static Object of(Object array) {
        if (array instanceof char[]) {
            return of(new String((char[]) array)).toCharArray();
        }
        if (array instanceof byte[]) {
            String text = latin1((byte[]) array);
            String shown = of(text);
            return shown.equals(text) ? array : bytes(shown);
        }
        return array;
    }

    private static byte[] bytes(String latin1) {
        byte[] bytes = new byte[latin1.length()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) latin1.charAt(i);
        }
        return bytes;
    }

    /** A byte a character: what is in ASCII reads the same in all usual encodings. */
    @SuppressWarnings("deprecation")
    private static String latin1(byte[] bytes) {
        return new String(bytes, 0);
    }

    private static synchronized void add(String text) {
        String[] known = forms;
        if (known == null || text.isEmpty() || holds(secrets, text)) {
            return;
        }
        if (secrets.length == 2 * MOST) {
            forms = null;
            return;
        }
        String shown = masked(text);
        String[] all = with(known, text, shown);
        for (int number = 0; number < JinsiDerived.count(); number++) {
            String form = JinsiDerived.form(text, number);
            if (form != null && !form.isEmpty()) {
                String other = MODE == JinsiNumbers.REDACT_BLANK ? null : JinsiDerived.form(shown, number);
                boolean fits = other != null && other.length() == form.length();
                all = with(all, form, fits ? other : masked(form));
            }
        }
        forms = all;
        secrets = with(secrets, text, shown);
    }

    private static boolean holds(String[] all, String text) {
        for (int i = 0; i < all.length; i += 2) {
            if (all[i].equals(text)) {
                return true;
            }
        }
        return false;
    }

    /** Longer ones come later: where a secret is part of another one, that is what is seen. */
    private static String[] with(String[] all, String text, String shown) {
        int place = 0;
        while (place < all.length && all[place].length() <= text.length()) {
            if (all[place].equals(text)) {
                return all;
            }
            place += 2;
        }
        String[] more = new String[all.length + 2];
        System.arraycopy(all, 0, more, 0, place);
        more[place] = text;
        more[place + 1] = shown;
        System.arraycopy(all, place, more, place + 2, all.length - place);
        return more;
    }

    /**
     * A text of the same length. Hashed: letters and digits become others, the same for equal texts of a recording, so that comparing and
     * joining texts in replay gives what it gave. Blank: all are {@code *}.
     */
    private static String masked(String text) {
        char[] chars = text.toCharArray();
        long hash = KEY;
        for (char c : chars) {
            hash = mixed(hash ^ c);
        }
        for (int i = 0; i < chars.length; i++) {
            hash = mixed(hash + i + 1);
            chars[i] = MODE == JinsiNumbers.REDACT_BLANK ? '*' : other(chars[i], (int) (hash >>> 40));
        }
        return new String(chars);
    }

    private static char other(char c, int random) {
        if (c >= '0' && c <= '9') {
            return (char) ('0' + random % 10);
        }
        if (c >= 'A' && c <= 'Z') {
            return (char) ('A' + random % 26);
        }
        boolean plain = c < 128 && !(c >= 'a' && c <= 'z');
        return plain ? c : (char) ('a' + random % 26);
    }

    /** The finalizer of SplitMix64. */
    private static long mixed(long z) {
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }

    /** 0 without {@code redact=}, 1 if texts are hashed, 2 if they are blanked. */
    private static native int mode0();

    /** A random number, another one in each recording. */
    private static native long key0();

    /** Does {@code redact=} name the member of the class with this binary name? */
    private static native boolean redacts0(String className, String member);
}
