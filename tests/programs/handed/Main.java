package handed;

/** What goes wrong is not wrong where it shows. */
final class Main {
    private Main() {
    }

    private static char sign(String text, int at) {
        return text.charAt(at); // reads
    }

    private static char last(String text) {
        int end = text.length(); // end: one too many
        return sign(text, end); // asks
    }

    private static String named(String name) {
        return name.isEmpty() ? null : name;
    }

    private static int length(String name) {
        String known = named(name); // looked up
        return known.length(); // measures
    }

    private static void check(long amount) {
        if (amount < 0) { // checks
            throw new IllegalArgumentException("less than nothing: " + amount); // complains
        }
    }

    private static void pay(long amount) {
        check(amount - 5); // pays
    }

    private static String second(String[] all) {
        return all[1]; // outside
    }

    public static void main(String[] arguments) {
        switch (arguments[0]) {
            case "index" -> last("text");
            case "null" -> length("");
            case "checked" -> pay(3);
            default -> second(arguments);
        }
    }
}
