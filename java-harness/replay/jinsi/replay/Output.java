package jinsi.replay;

import java.io.OutputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

/** Collects what observed code has its environment write: to standard output, to files, to sockets. */
final class Output {
    /** Characters that are kept. */
    private static final int MAX = 1 << 20;

    private final StringBuilder text = new StringBuilder();

    /** Takes note of {@code request}, if it writes. */
    void note(Request request) {
        boolean writes = request.op == Op.CALL && text.length() < MAX
                && (request.receiver instanceof OutputStream || request.receiver instanceof Writer);
        if (!writes) {
            return;
        }
        Object[] args = request.args;
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

    private void formatted(Object[] args) {
        if (args.length == 2 && args[0] instanceof String && args[1] instanceof Object[]) {
            try {
                text.append(String.format((String) args[0], (Object[]) args[1]));
            } catch (RuntimeException e) {
                text.append(args[0]);
            }
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
