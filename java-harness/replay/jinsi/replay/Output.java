package jinsi.replay;

import java.io.OutputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Locale;

/** Collects what observed code has its environment write: to standard output, to files, to sockets. */
final class Output {
    /** Characters that are kept. */
    private static final int MAX = 1 << 20;

    private final StringBuilder text = new StringBuilder();

    /** Takes note of {@code request}, if it writes. */
    void note(Request request) {
        if (text.length() >= MAX) {
            return;
        }
        Object[] args = request.args;
        if (request.op == Op.CALL_STATIC && request.member.owner.equals("java/nio/file/Files")) {
            toFile(request.member.name, args);
        }
        boolean into = request.receiver instanceof OutputStream || request.receiver instanceof Writer;
        if (request.op != Op.CALL || !into) {
            return;
        }
        switch (request.member.name) {
            case "println":
                text.append(args.length == 0 ? "" : shown(args[0])).append('\n');
                break;
            case "print":
                text.append(shown(args[0]));
                break;
            case "write":
            case "append":
                text.append(written(request.member, args));
                break;
            case "printf":
            case "format":
                formatted(args);
                break;
            default:
        }
    }

    private static String written(Member member, Object[] args) {
        if (args.length == 1) {
            return args[0] instanceof Integer ? String.valueOf((char) (int) args[0]) : shown(args[0]);
        }
        int from = (int) args[1];
        int second = (int) args[2];
        // Of append, the third is the end, of write the length.
        int to = member.name.equals("append") ? second : from + second;
        String all = shown(args[0]);
        return all.substring(Math.max(0, from), Math.min(Math.max(from, to), all.length()));
    }

    private void toFile(String method, Object[] args) {
        if (!method.equals("writeString") && !method.equals("write")) {
            return;
        }
        if (args[1] instanceof Collection && args[1].getClass().getName().startsWith("java.util.")) {
            for (Object line : (Collection<?>) args[1]) {
                text.append(shown(line)).append('\n');
            }
        } else {
            text.append(shown(args[1]));
        }
    }

    /** {@code printf} and {@code format}, with or without a locale. Objects of the program have no text here, either. */
    private void formatted(Object[] args) {
        int at = args.length - 2;
        if (at < 0 || !(args[at] instanceof String) || !(args[at + 1] instanceof Object[])) {
            return;
        }
        Object[] values = ((Object[]) args[at + 1]).clone();
        for (int i = 0; i < values.length; i++) {
            if (values[i] != null && !values[i].getClass().getName().startsWith("java.")) {
                values[i] = shown(values[i]);
            }
        }
        try {
            text.append(String.format(Locale.ENGLISH, (String) args[at], values));
        } catch (RuntimeException e) {
            text.append(args[at]);
        }
    }

    /** Without running code of the program: objects have no text here. */
    private static String shown(Object value) {
        if (value instanceof char[]) {
            return new String((char[]) value);
        }
        if (value instanceof byte[]) {
            return new String((byte[]) value, StandardCharsets.ISO_8859_1);
        }
        boolean plain = value == null || value.getClass().getName().startsWith("java.lang.");
        return plain ? String.valueOf(value) : value.getClass().getName();
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
