package jinsi.replay;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Messages that the JVM computes of a {@code NullPointerException} when asked. They say what was null in the words of the code that ran, and in a
 * replay some of that is in bridges: {@code because the return value of "com.foo.Shop.jinsi$3(com.foo.Item)" is null}.
 */
final class HelpfulMessages {
    /** A call of a bridge, as the JVM writes it. */
    private static final Pattern BRIDGE = Pattern.compile("[\\w.$]+\\.jinsi\\$(\\d+)\\([^()\"]*\\)");
    /** Why something was null. Of a receiver that is null in a bridge, the JVM sees but a parameter. */
    private static final Pattern REASON = Pattern.compile(" because (the return value of )?\"[^\"]*\" is null");
    private static final String OF_PARAMETER = "because \"<parameter1>\" is null";
    /** {@code NullPointerException} has computed its message. */
    private static final int COMPUTED = 2;

    private HelpfulMessages() {
    }

    /** From now on {@code exception} says what it would say in the program, as far as that is known. */
    static void settle(Throwable exception, Map<Integer, Bridge> bridges) {
        if (exception.getClass() != NullPointerException.class || Throwables.storedMessage(exception) != null
                || !RawAccess.isOpen()) {
            return;
        }
        String message = exception.getMessage();
        String own = message == null ? null : inWordsOfProgram(message, bridges);
        if (own != null && !own.equals(message)) {
            try {
                RawAccess.set(NullPointerException.class, "extendedMessage", exception, own);
                RawAccess.set(NullPointerException.class, "extendedMessageState", exception, COMPUTED);
            } catch (IllegalStateException | IllegalArgumentException | UnsupportedOperationException e) {
                // A JDK that keeps it elsewhere: it says what it says.
                return;
            }
        }
    }

    /** The text with the program's members in the places of bridges. */
    static String inWordsOfProgram(String text, Map<Integer, Bridge> bridges) {
        Matcher found = BRIDGE.matcher(text);
        return found.replaceAll(call -> {
            Bridge bridge = bridges.get(Integer.parseInt(call.group(1)));
            return Matcher.quoteReplacement(bridge == null ? call.group() : inWords(bridge.member));
        });
    }

    /** As the JVM names a member: the class, and of a method the types of its parameters. */
    private static String inWords(Member member) {
        StringBuilder text = new StringBuilder(plain(member.owner.replace('/', '.'))).append('.').append(member.name);
        if (member.desc.startsWith("(")) {
            text.append('(');
            String separator = "";
            for (String parameter : member.parameters) {
                text.append(separator).append(plain(named(parameter)));
                separator = ", ";
            }
            text.append(')');
        }
        return text.toString();
    }

    private static String named(String descriptor) {
        int dimensions = descriptor.lastIndexOf('[') + 1;
        String element = descriptor.substring(dimensions);
        String name;
        switch (element.charAt(0)) {
            case 'L':
                name = element.substring(1, element.length() - 1).replace('/', '.');
                break;
            case 'Z':
                name = "boolean";
                break;
            case 'B':
                name = "byte";
                break;
            case 'C':
                name = "char";
                break;
            case 'S':
                name = "short";
                break;
            case 'I':
                name = "int";
                break;
            case 'J':
                name = "long";
                break;
            case 'F':
                name = "float";
                break;
            default:
                name = "double";
        }
        return name + "[]".repeat(dimensions);
    }

    /** Two names are so common that the JVM leaves their package out. */
    private static String plain(String name) {
        return name.replaceFirst("^java\\.lang\\.(String|Object)(?=$|\\[)", "$1");
    }

    /**
     * Whether both texts are the same but for what a replay says of why something was null.
     *
     * @param recorded what the program said
     * @param actual what the replay says
     */
    static boolean isSame(Object recorded, Object actual) {
        if (!(recorded instanceof String) || !(actual instanceof String)) {
            return false;
        }
        String text = (String) actual;
        return (text.contains(OF_PARAMETER) || BRIDGE.matcher(text).find()) && bare(text).equals(bare((String) recorded));
    }

    private static String bare(String text) {
        return REASON.matcher(text).replaceAll("");
    }
}
