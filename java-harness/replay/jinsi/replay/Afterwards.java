package jinsi.replay;

/** What is answered when a test is over and nobody answers for its environment any more. */
final class Afterwards {
    private Afterwards() {
    }

    /** What a throwable of the tested code says of itself when the code for it has nobody to ask any more. */
    static Object reported(Throwable thrown, Member member) {
        String message = Throwables.storedMessage(thrown);
        switch (member.name) {
            case "getMessage":
            case "getLocalizedMessage":
                return message;
            case "toString":
                return thrown.getClass().getName() + (message == null ? "" : ": " + message);
            default:
                return nothing(member);
        }
    }

    /** The answer to {@code member} when there is none. */
    static Object nothing(Member member) {
        char letter = member.desc.charAt(member.desc.indexOf(')') + 1);
        switch (letter) {
            case 'Z':
                return false;
            case 'B':
                return (byte) 0;
            case 'C':
                return (char) 0;
            case 'S':
                return (short) 0;
            case 'I':
                return 0;
            case 'J':
                return 0L;
            case 'F':
                return 0F;
            case 'D':
                return 0D;
            default:
                return null;
        }
    }
}
